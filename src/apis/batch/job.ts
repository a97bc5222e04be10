// Job: schema and defaults.
import { kind } from '../../kind/meta/kind.ts';
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { bool, documentedEnum, int32, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import { conditionStatus } from '../core/condition-status.ts';
import { PodTemplateSpec } from '../core/pod-template-spec.ts';
import { PodFailurePolicy, SuccessPolicy } from './job-policies.ts';

export const JobSpec = struct(
  'batch/v1.JobSpec',
  {
    parallelism: field(1, optional(int32), {
      doc: 'How many pods may run at once. 1 by default; 0 holds the job.',
    }),
    completions: field(2, optional(int32), {
      doc: 'How many pods must succeed. Left out while parallelism is set, the job ends when one has and no more run.',
    }),
    activeDeadlineSeconds: field(3, optional(int64), {
      doc: 'How long the job may run before it is ended and has failed.',
    }),
    podFailurePolicy: field(11, optional(PodFailurePolicy), {
      doc: 'What is done about pods that fail. Without one, each counts against backoffLimit.',
    }),
    successPolicy: field(16, optional(SuccessPolicy), {
      doc: 'When an Indexed job has succeeded before all its indexes have.',
    }),
    backoffLimit: field(7, optional(int32), {
      doc: 'After how many failed pods the job has failed. 6 by default, and no limit where there is one per index.',
    }),
    backoffLimitPerIndex: field(12, optional(int32), {
      doc: 'After how many failed pods an index has failed. Only for Indexed jobs; it never changes.',
    }),
    maxFailedIndexes: field(13, optional(int32), {
      doc: 'After how many failed indexes the job is ended. Only with backoffLimitPerIndex.',
    }),
    selector: field(4, optional(LabelSelector), {
      doc: 'Which pods are its own. The server makes it, unless manualSelector is true. It never changes.',
    }),
    manualSelector: field(5, optional(bool), {
      doc: 'Whether the client chooses the selector and sees to it that no other job selects the same pods.',
    }),
    template: field(6, PodTemplateSpec, {
      required: true,
      doc: 'What the pods look like. Their restartPolicy is Never or OnFailure.',
    }),
    ttlSecondsAfterFinished: field(8, optional(int32), {
      doc: 'How long after its end the job is deleted; 0 is at once. Left out, it stays.',
    }),
    completionMode: field(
      9,
      optional(named('batch/v1.CompletionMode', documentedEnum('NonIndexed', 'Indexed'))),
      {
        doc: 'NonIndexed, the default, takes any pods that succeed; Indexed one for each number below completions.',
      },
    ),
    suspend: field(10, optional(bool), {
      doc: 'While true no pods run; those that do are ended. False by default.',
    }),
    podReplacementPolicy: field(
      14,
      optional(named('batch/v1.PodReplacementPolicy', documentedEnum('TerminatingOrFailed', 'Failed'))),
      {
        doc: 'When a pod is replaced: TerminatingOrFailed as soon as it is ending, Failed when it has. Only Failed with a podFailurePolicy.',
      },
    ),
    managedBy: field(15, optional(string), {
      doc: 'The controller that runs the job, where it is not the built-in one: a domain and a path. It never changes.',
    }),
  },
  { doc: 'What a Job is to be.' },
);
export type JobSpec = Infer<typeof JobSpec>;

export const JobCondition = struct(
  'batch/v1.JobCondition',
  {
    type: field(
      1,
      named(
        'batch/v1.JobConditionType',
        oneOf('Suspended', 'Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet'),
      ),
      { required: true, doc: 'What the condition is about.' },
    ),
    status: field(2, conditionStatus, { required: true, doc: 'Whether it holds.' }),
    lastProbeTime: field(3, time, { doc: 'When the condition was last looked at.' }),
    lastTransitionTime: field(4, time, { doc: 'When its status last changed.' }),
    reason: field(5, string, { doc: 'Why, in one word for machines.' }),
    message: field(6, string, { doc: 'Why, in a sentence for people.' }),
  },
  { doc: 'How a Job is getting on, in one respect.' },
);
export type JobCondition = Infer<typeof JobCondition>;

const uids = list(named('types.UID', string), { type: 'set' });

export const UncountedTerminatedPods = struct(
  'batch/v1.UncountedTerminatedPods',
  {
    succeeded: field(1, uids, { doc: 'The uids of those that succeeded.' }),
    failed: field(2, uids, { doc: 'The uids of those that failed.' }),
  },
  { doc: 'Pods that have ended and are not in the counts yet.' },
);
export type UncountedTerminatedPods = Infer<typeof UncountedTerminatedPods>;

export const JobStatus = struct(
  'batch/v1.JobStatus',
  {
    conditions: field(1, list(JobCondition, { type: 'atomic', patch: 'merge', patchKey: 'type' }), {
      doc: 'How it is getting on. A job has ended when Complete or Failed is true, and stays so.',
    }),
    startTime: field(2, optional(time), { doc: 'When it began, or began again after it was suspended.' }),
    completionTime: field(3, optional(time), { doc: 'When it succeeded. Only then is it set.' }),
    active: field(4, int32, { doc: 'How many of its pods run or are about to.' }),
    succeeded: field(5, int32, { doc: 'How many of its pods have succeeded.' }),
    failed: field(6, int32, { doc: 'How many of its pods have failed.' }),
    terminating: field(11, optional(int32), { doc: 'How many of its pods are ending.' }),
    completedIndexes: field(7, string, { doc: 'The indexes that have succeeded: `1,3-5,7`.' }),
    failedIndexes: field(10, optional(string), {
      doc: 'The indexes that have failed, where there is a limit per index: `1,3-5,7`.',
    }),
    uncountedTerminatedPods: field(8, optional(UncountedTerminatedPods), {
      doc: 'Pods that have ended and are not in the counts yet.',
    }),
    ready: field(9, optional(int32), { doc: 'How many of the active pods are ready.' }),
  },
  { doc: 'What has become of a Job.' },
);
export type JobStatus = Infer<typeof JobStatus>;

export const Job = kind(
  'batch/v1.Job',
  {
    spec: field(2, JobSpec, { doc: 'What it is to be.' }),
    status: field(3, JobStatus, { doc: 'What has become of it.' }),
  },
  {
    doc: 'Pods that are run until enough of them have succeeded.',
    defaults({ metadata, spec }) {
      if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
      spec.parallelism ??= 1;
      spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : 2 ** 31 - 1;
      spec.completionMode ??= 'NonIndexed';
      spec.suspend ??= false;
      spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed';
      spec.manualSelector ??= false;
      for (const { onPodConditions = [] } of spec.podFailurePolicy?.rules ?? []) {
        for (const pattern of onPodConditions) pattern.status ||= 'True';
      }
      // Shares the map with the template on purpose: labels generated later appear on the job too.
      const { labels } = spec.template.metadata;
      if (labels && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = labels;
    },
  },
);
export type Job = Infer<typeof Job>;
