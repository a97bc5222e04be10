// PodFailurePolicy and SuccessPolicy: schemas.
import { list } from '../../schema/collections.ts';
import { documentedEnum, int32, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { conditionStatus } from '../core/condition-status.ts';
import { podConditionType } from '../core/pod-status.ts';

export const PodFailurePolicyOnExitCodesRequirement = struct(
  'batch/v1.PodFailurePolicyOnExitCodesRequirement',
  {
    containerName: field(1, optional(string), {
      doc: 'The container whose exit code counts; left out, that of any.',
    }),
    operator: field(2, named('batch/v1.PodFailurePolicyOnExitCodesOperator', documentedEnum('In', 'NotIn')), {
      required: true,
      doc: 'Whether the code must be among the values, or must not be. A container that succeeded never counts.',
    }),
    values: field(3, list(int32, { type: 'set' }), {
      required: true,
      doc: 'Exit codes in increasing order, 255 at most. With In, 0 is not among them.',
    }),
  },
  { doc: 'Exit codes of containers that a rule is about.' },
);
export type PodFailurePolicyOnExitCodesRequirement = Infer<typeof PodFailurePolicyOnExitCodesRequirement>;

export const PodFailurePolicyOnPodConditionsPattern = struct(
  'batch/v1.PodFailurePolicyOnPodConditionsPattern',
  {
    type: field(1, podConditionType, { required: true, doc: 'The type of the condition.' }),
    status: field(2, conditionStatus, { required: true, doc: 'Its status. True by default.' }),
  },
  { doc: 'A condition of pods that a rule is about.' },
);
export type PodFailurePolicyOnPodConditionsPattern = Infer<typeof PodFailurePolicyOnPodConditionsPattern>;

export const PodFailurePolicyRule = struct(
  'batch/v1.PodFailurePolicyRule',
  {
    action: field(
      1,
      named('batch/v1.PodFailurePolicyAction', documentedEnum('FailJob', 'FailIndex', 'Ignore', 'Count')),
      {
        required: true,
        doc: 'FailJob ends the job, FailIndex the index, Ignore replaces the pod and forgets it, Count counts it as without a rule.',
      },
    ),
    onExitCodes: field(2, optional(PodFailurePolicyOnExitCodesRequirement), {
      doc: 'The rule is about exit codes. Either these or conditions are given.',
    }),
    onPodConditions: field(3, list(PodFailurePolicyOnPodConditionsPattern, { type: 'atomic' }), {
      doc: 'The rule is about conditions of the pod, any of these. 20 at most.',
    }),
  },
  { doc: 'What is done about pods that failed in a certain way.' },
);
export type PodFailurePolicyRule = Infer<typeof PodFailurePolicyRule>;

export const PodFailurePolicy = struct(
  'batch/v1.PodFailurePolicy',
  {
    rules: field(1, list(PodFailurePolicyRule, { type: 'atomic' }), {
      required: true,
      doc: 'The first rule that fits a pod is taken. 20 at most.',
    }),
  },
  { doc: 'What is done about pods that fail. It never changes.' },
);
export type PodFailurePolicy = Infer<typeof PodFailurePolicy>;

export const SuccessPolicyRule = struct(
  'batch/v1.SuccessPolicyRule',
  {
    succeededIndexes: field(1, optional(string), {
      doc: 'The indexes that count: `1,3-5,7`. All of them must have succeeded, where no count is given.',
    }),
    succeededCount: field(2, optional(int32), {
      doc: 'How many of the indexes, or of those given, must have succeeded.',
    }),
  },
  { doc: 'Indexes that are enough for success. At least one of the fields is set.' },
);
export type SuccessPolicyRule = Infer<typeof SuccessPolicyRule>;

export const SuccessPolicy = struct(
  'batch/v1.SuccessPolicy',
  {
    rules: field(1, list(SuccessPolicyRule, { type: 'atomic' }), {
      required: true,
      doc: 'The job has succeeded when any of these holds. 20 at most.',
    }),
  },
  { doc: 'When an Indexed job has succeeded before all its indexes have. It never changes.' },
);
export type SuccessPolicy = Infer<typeof SuccessPolicy>;
