// PodFailurePolicy and SuccessPolicy: schemas.
import { list } from '../../schema/collections.ts';
import { int32, named, publishedEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { conditionStatus } from '../core/condition-status.ts';
import { podConditionType } from '../core/pod-status.ts';

export const PodFailurePolicyOnExitCodesRequirement = struct(
  'batch/v1.PodFailurePolicyOnExitCodesRequirement',
  {
    containerName: field(1, optional(string), {
      doc: 'Restricts the rule to this container. Absent: all containers.',
    }),
    operator: field(2, named('batch/v1.PodFailurePolicyOnExitCodesOperator', publishedEnum('In', 'NotIn')), {
      required: true,
      doc: 'In: the exit code is among the values. NotIn: it is not. Exit code 0 never matches.',
    }),
    values: field(3, list(int32, { type: 'set' }), {
      required: true,
      doc: 'Exit codes in ascending order, at most 255. Must not contain 0 with operator In.',
    }),
  },
  { doc: 'A requirement on the exit codes of containers.' },
);
export type PodFailurePolicyOnExitCodesRequirement = Infer<typeof PodFailurePolicyOnExitCodesRequirement>;

export const PodFailurePolicyOnPodConditionsPattern = struct(
  'batch/v1.PodFailurePolicyOnPodConditionsPattern',
  {
    type: field(1, podConditionType, { required: true, doc: 'The type of the pod condition.' }),
    status: field(2, conditionStatus, {
      required: true,
      doc: 'The required status of the condition. Defaults to True.',
    }),
  },
  { doc: 'A pattern that matches a pod condition.' },
);
export type PodFailurePolicyOnPodConditionsPattern = Infer<typeof PodFailurePolicyOnPodConditionsPattern>;

export const PodFailurePolicyRule = struct(
  'batch/v1.PodFailurePolicyRule',
  {
    action: field(
      1,
      named('batch/v1.PodFailurePolicyAction', publishedEnum('FailJob', 'FailIndex', 'Ignore', 'Count')),
      {
        required: true,
        doc: 'FailJob fails the Job, FailIndex fails the index, Ignore replaces the pod without counting it, Count counts it against backoffLimit.',
      },
    ),
    onExitCodes: field(2, optional(PodFailurePolicyOnExitCodesRequirement), {
      doc: 'A requirement on exit codes. Mutually exclusive with onPodConditions.',
    }),
    onPodConditions: field(3, list(PodFailurePolicyOnPodConditionsPattern, { type: 'atomic' }), {
      doc: 'Patterns of pod conditions, at most 20. The rule matches if any pattern does.',
    }),
  },
  { doc: 'The action for failed pods that match the requirement.' },
);
export type PodFailurePolicyRule = Infer<typeof PodFailurePolicyRule>;

export const PodFailurePolicy = struct(
  'batch/v1.PodFailurePolicy',
  {
    rules: field(1, list(PodFailurePolicyRule, { type: 'atomic' }), {
      required: true,
      doc: 'The rules in order, at most 20. The first rule that matches a failed pod applies.',
    }),
  },
  { doc: 'How failed pods affect the Job. Immutable.' },
);
export type PodFailurePolicy = Infer<typeof PodFailurePolicy>;

export const SuccessPolicyRule = struct(
  'batch/v1.SuccessPolicyRule',
  {
    succeededIndexes: field(1, optional(string), {
      doc: 'The indexes that must succeed, such as `1,3-5,7`. All of them must, unless succeededCount is set.',
    }),
    succeededCount: field(2, optional(int32), {
      doc: 'The number of indexes that must succeed, of succeededIndexes if set, otherwise of all.',
    }),
  },
  { doc: 'The indexes that are sufficient for success. At least one of the fields is set.' },
);
export type SuccessPolicyRule = Infer<typeof SuccessPolicyRule>;

export const SuccessPolicy = struct(
  'batch/v1.SuccessPolicy',
  {
    rules: field(1, list(SuccessPolicyRule, { type: 'atomic' }), {
      required: true,
      doc: 'The rules, at most 20. The Job succeeds if any rule is met.',
    }),
  },
  { doc: 'When an Indexed Job succeeds before all indexes have. Immutable.' },
);
export type SuccessPolicy = Infer<typeof SuccessPolicy>;
