import { list } from '../../schema/collections.ts';
import { bool, int32, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import type { KindContext } from '../context.ts';
import { ObjectReference } from '../core/object-reference.ts';
import { kind } from '../meta/kind.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { JobSpec } from './job.ts';

export const JobTemplateSpec = struct('batch/v1.JobTemplateSpec', {
  metadata: field(1, ObjectMeta),
  spec: field(2, JobSpec),
});
export type JobTemplateSpec = Infer<typeof JobTemplateSpec>;

export const CronJobSpec = struct('batch/v1.CronJobSpec', {
  schedule: field(1, string, { required: true }),
  timeZone: field(8, optional(string)),
  startingDeadlineSeconds: field(2, optional(int64)),
  concurrencyPolicy: field(3, named('batch/v1.ConcurrencyPolicy', oneOf('Allow', 'Forbid', 'Replace'))),
  suspend: field(4, optional(bool)),
  jobTemplate: field(5, JobTemplateSpec, { required: true }),
  successfulJobsHistoryLimit: field(6, optional(int32)),
  failedJobsHistoryLimit: field(7, optional(int32)),
});
export type CronJobSpec = Infer<typeof CronJobSpec>;

export const CronJobStatus = struct('batch/v1.CronJobStatus', {
  active: field(1, list(ObjectReference, { type: 'atomic' })),
  lastScheduleTime: field(4, optional(time)),
  lastSuccessfulTime: field(5, optional(time)),
});
export type CronJobStatus = Infer<typeof CronJobStatus>;

export const CronJob = kind(
  'batch/v1.CronJob',
  {
    spec: field(2, CronJobSpec),
    status: field(3, CronJobStatus),
  },
  { doc: '' },
);
export type CronJob = Infer<typeof CronJob>;

export const cronjobs = (context: KindContext) =>
  resource<CronJob>({
    group: 'batch',
    version: 'v1',
    kind: 'CronJob',
    plural: 'cronjobs',
    shortNames: ['cj'],
    categories: ['all'],
    schema: CronJob,
    strategy: plainStrategy(context, CronJob),
    subresources: { status: statusOf(context, CronJob) },
  });
