// CronJob: schema.
import { kind } from '../../kind/meta/kind.ts';
import { ObjectMeta } from '../../kind/meta/object-meta.ts';
import { list } from '../../schema/collections.ts';
import { bool, int32, int64, named, publishedEnum, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { ObjectReference } from '../core/object-reference.ts';
import { JobSpec } from './job.ts';

export const JobTemplateSpec = struct(
  'batch/v1.JobTemplateSpec',
  {
    metadata: field(1, ObjectMeta, { doc: 'The metadata of the Jobs.' }),
    spec: field(2, JobSpec, {
      doc: 'The specification of the Jobs. The server always generates their selector.',
    }),
  },
  { doc: 'A template from which Jobs are created.' },
);
export type JobTemplateSpec = Infer<typeof JobTemplateSpec>;

export const CronJobSpec = struct(
  'batch/v1.CronJobSpec',
  {
    schedule: field(1, string, {
      required: true,
      doc: 'The schedule in cron format (minute, hour, day of month, month, day of week), or a macro such as @daily or @every 1h.',
    }),
    timeZone: field(8, optional(string), {
      doc: 'The time zone of the schedule, a name of the tz database. Defaults to that of the controller. If the name becomes invalid, no Jobs are created and an event is emitted.',
    }),
    startingDeadlineSeconds: field(2, optional(int64), {
      doc: 'Seconds after the scheduled time by which a missed Job can still start. After that it counts as missed.',
    }),
    concurrencyPolicy: field(
      3,
      named('batch/v1.ConcurrencyPolicy', publishedEnum('Allow', 'Forbid', 'Replace')),
      {
        doc: 'What happens if the previous Job is still running: Allow (default) runs both, Forbid skips the new Job, Replace replaces the running Job.',
      },
    ),
    suspend: field(4, optional(bool), {
      doc: 'If true, no new Jobs are created; running Jobs continue. Defaults to false.',
    }),
    jobTemplate: field(5, JobTemplateSpec, { required: true, doc: 'The template of the Jobs.' }),
    successfulJobsHistoryLimit: field(6, optional(int32), {
      doc: 'The number of successful Jobs to keep. Defaults to 3.',
    }),
    failedJobsHistoryLimit: field(7, optional(int32), {
      doc: 'The number of failed Jobs to keep. Defaults to 1.',
    }),
  },
  {
    doc: 'The specification of a CronJob.',
    defaults(spec) {
      spec.concurrencyPolicy ||= 'Allow';
      spec.suspend ??= false;
      spec.successfulJobsHistoryLimit ??= 3;
      spec.failedJobsHistoryLimit ??= 1;
    },
  },
);
export type CronJobSpec = Infer<typeof CronJobSpec>;

export const CronJobStatus = struct(
  'batch/v1.CronJobStatus',
  {
    active: field(1, list(ObjectReference, { type: 'atomic' }), { doc: 'The currently running Jobs.' }),
    lastScheduleTime: field(4, optional(time), { doc: 'When a Job was last scheduled.' }),
    lastSuccessfulTime: field(5, optional(time), { doc: 'When a Job last completed successfully.' }),
  },
  { doc: 'The current status of a CronJob.' },
);
export type CronJobStatus = Infer<typeof CronJobStatus>;

export const CronJob = kind(
  'batch/v1.CronJob',
  {
    spec: field(2, CronJobSpec, { doc: 'The specification of the CronJob.' }),
    status: field(3, CronJobStatus, { doc: 'The current status of the CronJob.' }),
  },
  { doc: 'Creates Jobs on a schedule.' },
);
export type CronJob = Infer<typeof CronJob>;
