// HorizontalPodAutoscalerBehavior: schemas of scaling rules and policies.
import { list } from '../../schema/collections.ts';
import { quantity } from '../../schema/quantity-type.ts';
import { int32, named, openEnum } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const HPAScalingPolicy = struct(
  'autoscaling/v2.HPAScalingPolicy',
  {
    type: field(1, named('autoscaling/v2.HPAScalingPolicyType', openEnum('Pods', 'Percent')), {
      required: true,
      doc: 'Whether the value is a number of pods (Pods) or a percentage (Percent).',
    }),
    value: field(2, int32, { required: true, doc: 'The maximum change within the period.' }),
    periodSeconds: field(3, int32, { required: true, doc: 'The period in seconds, at most 1800.' }),
  },
  { doc: 'The maximum change within a period.' },
);
export type HPAScalingPolicy = Infer<typeof HPAScalingPolicy>;

export const HPAScalingRules = struct(
  'autoscaling/v2.HPAScalingRules',
  {
    stabilizationWindowSeconds: field(3, optional(int32), {
      doc: "Seconds for which earlier recommendations are considered, to avoid flapping; at most 3600. Defaults to 0 for scaling up, and to the controller's setting for scaling down.",
    }),
    selectPolicy: field(
      1,
      optional(named('autoscaling/v2.ScalingPolicySelect', openEnum('Max', 'Min', 'Disabled'))),
      {
        doc: 'Which policy applies: Max (default), Min or Disabled, which disables scaling in this direction.',
      },
    ),
    policies: field(2, list(HPAScalingPolicy, { type: 'atomic' }), {
      doc: 'The scaling policies, at least one. Defaults to 100% per 15 seconds, and for scaling up also to 4 pods per 15 seconds.',
    }),
    tolerance: field(4, optional(quantity), {
      doc: "The relative deviation of a metric from its target below which nothing is scaled. Defaults to the controller's setting.",
    }),
  },
  { doc: 'The scaling behavior in one direction.' },
);
export type HPAScalingRules = Infer<typeof HPAScalingRules>;

export const HorizontalPodAutoscalerBehavior = struct(
  'autoscaling/v2.HorizontalPodAutoscalerBehavior',
  {
    scaleUp: field(1, optional(HPAScalingRules), { doc: 'The behavior for scaling up.' }),
    scaleDown: field(2, optional(HPAScalingRules), { doc: 'The behavior for scaling down.' }),
  },
  {
    doc: 'The scaling behavior in both directions.',
    defaults(behavior) {
      const hundredPercent: HPAScalingPolicy = { type: 'Percent', value: 100, periodSeconds: 15 };
      behavior.scaleUp ??= {};
      behavior.scaleUp.stabilizationWindowSeconds ??= 0;
      behavior.scaleUp.selectPolicy ??= 'Max';
      behavior.scaleUp.policies ??= [{ type: 'Pods', value: 4, periodSeconds: 15 }, { ...hundredPercent }];
      behavior.scaleDown ??= {};
      behavior.scaleDown.selectPolicy ??= 'Max';
      behavior.scaleDown.policies ??= [{ ...hundredPercent }];
    },
  },
);
export type HorizontalPodAutoscalerBehavior = Infer<typeof HorizontalPodAutoscalerBehavior>;
