import { list } from '../../schema/collections.ts';
import { bool, int32, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import type { KindContext } from '../context.ts';
import { conditionStatus } from '../core/condition-status.ts';
import { podConditionType } from '../core/pod-status.ts';
import { PodTemplateSpec } from '../core/pod-template-spec.ts';
import { kind } from '../meta/kind.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

export const PodFailurePolicyOnExitCodesRequirement = struct(
  'batch/v1.PodFailurePolicyOnExitCodesRequirement',
  {
    containerName: field(1, optional(string)),
    operator: field(2, named('batch/v1.PodFailurePolicyOnExitCodesOperator', oneOf('In', 'NotIn')), {
      required: true,
    }),
    values: field(3, list(int32, { type: 'set' }), { required: true }),
  },
);
export type PodFailurePolicyOnExitCodesRequirement = Infer<typeof PodFailurePolicyOnExitCodesRequirement>;

export const PodFailurePolicyOnPodConditionsPattern = struct(
  'batch/v1.PodFailurePolicyOnPodConditionsPattern',
  {
    type: field(1, podConditionType, { required: true }),
    status: field(2, conditionStatus, { required: true }),
  },
);
export type PodFailurePolicyOnPodConditionsPattern = Infer<typeof PodFailurePolicyOnPodConditionsPattern>;

export const PodFailurePolicyRule = struct('batch/v1.PodFailurePolicyRule', {
  action: field(
    1,
    named('batch/v1.PodFailurePolicyAction', oneOf('FailJob', 'FailIndex', 'Ignore', 'Count')),
    { required: true },
  ),
  onExitCodes: field(2, optional(PodFailurePolicyOnExitCodesRequirement)),
  onPodConditions: field(3, list(PodFailurePolicyOnPodConditionsPattern, { type: 'atomic' })),
});
export type PodFailurePolicyRule = Infer<typeof PodFailurePolicyRule>;

export const PodFailurePolicy = struct('batch/v1.PodFailurePolicy', {
  rules: field(1, list(PodFailurePolicyRule, { type: 'atomic' }), { required: true }),
});
export type PodFailurePolicy = Infer<typeof PodFailurePolicy>;

export const SuccessPolicyRule = struct('batch/v1.SuccessPolicyRule', {
  succeededIndexes: field(1, optional(string)),
  succeededCount: field(2, optional(int32)),
});
export type SuccessPolicyRule = Infer<typeof SuccessPolicyRule>;

export const SuccessPolicy = struct('batch/v1.SuccessPolicy', {
  rules: field(1, list(SuccessPolicyRule, { type: 'atomic' }), { required: true }),
});
export type SuccessPolicy = Infer<typeof SuccessPolicy>;

export const JobSpec = struct('batch/v1.JobSpec', {
  parallelism: field(1, optional(int32)),
  completions: field(2, optional(int32)),
  activeDeadlineSeconds: field(3, optional(int64)),
  podFailurePolicy: field(11, optional(PodFailurePolicy)),
  successPolicy: field(16, optional(SuccessPolicy)),
  backoffLimit: field(7, optional(int32)),
  backoffLimitPerIndex: field(12, optional(int32)),
  maxFailedIndexes: field(13, optional(int32)),
  selector: field(4, optional(LabelSelector)),
  manualSelector: field(5, optional(bool)),
  template: field(6, PodTemplateSpec, { required: true }),
  ttlSecondsAfterFinished: field(8, optional(int32)),
  completionMode: field(9, optional(named('batch/v1.CompletionMode', oneOf('NonIndexed', 'Indexed')))),
  suspend: field(10, optional(bool)),
  podReplacementPolicy: field(
    14,
    optional(named('batch/v1.PodReplacementPolicy', oneOf('TerminatingOrFailed', 'Failed'))),
  ),
  managedBy: field(15, optional(string)),
});
export type JobSpec = Infer<typeof JobSpec>;

export const JobCondition = struct('batch/v1.JobCondition', {
  type: field(
    1,
    named(
      'batch/v1.JobConditionType',
      oneOf('Suspended', 'Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet'),
    ),
    { required: true },
  ),
  status: field(2, conditionStatus, { required: true }),
  lastProbeTime: field(3, time),
  lastTransitionTime: field(4, time),
  reason: field(5, string),
  message: field(6, string),
});
export type JobCondition = Infer<typeof JobCondition>;

export const UncountedTerminatedPods = struct('batch/v1.UncountedTerminatedPods', {
  succeeded: field(1, list(named('types.UID', string), { type: 'set' })),
  failed: field(2, list(named('types.UID', string), { type: 'set' })),
});
export type UncountedTerminatedPods = Infer<typeof UncountedTerminatedPods>;

export const JobStatus = struct('batch/v1.JobStatus', {
  conditions: field(1, list(JobCondition, { type: 'atomic', patch: 'merge', patchKey: 'type' })),
  startTime: field(2, optional(time)),
  completionTime: field(3, optional(time)),
  active: field(4, int32),
  succeeded: field(5, int32),
  failed: field(6, int32),
  terminating: field(11, optional(int32)),
  completedIndexes: field(7, string),
  failedIndexes: field(10, optional(string)),
  uncountedTerminatedPods: field(8, optional(UncountedTerminatedPods)),
  ready: field(9, optional(int32)),
});
export type JobStatus = Infer<typeof JobStatus>;

export const Job = kind(
  'batch/v1.Job',
  {
    spec: field(2, JobSpec),
    status: field(3, JobStatus),
  },
  { doc: '' },
);
export type Job = Infer<typeof Job>;

export const jobs = (context: KindContext) =>
  resource<Job>({
    group: 'batch',
    version: 'v1',
    kind: 'Job',
    plural: 'jobs',
    categories: ['all'],
    schema: Job,
    strategy: plainStrategy(context, Job),
    subresources: { status: statusOf(context, Job) },
  });
