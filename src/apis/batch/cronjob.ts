// CronJob: schema.
import { kind } from '../../kind/meta/kind.ts';
import { ObjectMeta } from '../../kind/meta/object-meta.ts';
import { list } from '../../schema/collections.ts';
import { bool, documentedEnum, int32, int64, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import { ObjectReference } from '../core/object-reference.ts';
import { JobSpec } from './job.ts';

export const JobTemplateSpec = struct(
  'batch/v1.JobTemplateSpec',
  {
    metadata: field(1, ObjectMeta, { doc: 'Labels and annotations of the jobs.' }),
    spec: field(2, JobSpec, { doc: 'What the jobs are to be. Their selector is always made by the server.' }),
  },
  { doc: 'What jobs made from a template look like.' },
);
export type JobTemplateSpec = Infer<typeof JobTemplateSpec>;

export const CronJobSpec = struct(
  'batch/v1.CronJobSpec',
  {
    schedule: field(1, string, {
      required: true,
      doc: 'When jobs are made: minute, hour, day of month, month and day of week in cron format, or a shorthand such as @daily or @every 1h.',
    }),
    timeZone: field(8, optional(string), {
      doc: 'The time zone of the schedule, by its name in the tz database. Left out, it is that of the controller. When the name is known no longer, no more jobs are made and an event says so.',
    }),
    startingDeadlineSeconds: field(2, optional(int64), {
      doc: 'How late a job may still begin that missed its time. One that misses that too counts as failed.',
    }),
    concurrencyPolicy: field(
      3,
      named('batch/v1.ConcurrencyPolicy', documentedEnum('Allow', 'Forbid', 'Replace')),
      {
        doc: 'What happens when it is time and the last job still runs: Allow, the default, runs both; Forbid leaves the new one out; Replace ends the old one.',
      },
    ),
    suspend: field(4, optional(bool), {
      doc: 'While true no more jobs are made; those that run go on. False by default.',
    }),
    jobTemplate: field(5, JobTemplateSpec, { required: true, doc: 'What the jobs look like.' }),
    successfulJobsHistoryLimit: field(6, optional(int32), {
      doc: 'How many jobs that succeeded are kept. 3 by default.',
    }),
    failedJobsHistoryLimit: field(7, optional(int32), {
      doc: 'How many jobs that failed are kept. 1 by default.',
    }),
  },
  {
    doc: 'What a CronJob is to be.',
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
    active: field(1, list(ObjectReference, { type: 'atomic' }), { doc: 'The jobs that run.' }),
    lastScheduleTime: field(4, optional(time), { doc: 'When a job was last made.' }),
    lastSuccessfulTime: field(5, optional(time), { doc: 'When a job last succeeded.' }),
  },
  { doc: 'What has become of a CronJob.' },
);
export type CronJobStatus = Infer<typeof CronJobStatus>;

export const CronJob = kind(
  'batch/v1.CronJob',
  {
    spec: field(2, CronJobSpec, { doc: 'What it is to be.' }),
    status: field(3, CronJobStatus, { doc: 'What has become of it.' }),
  },
  { doc: 'Jobs that are made again and again, at set times.' },
);
export type CronJob = Infer<typeof CronJob>;
