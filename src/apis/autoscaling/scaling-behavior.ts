// HorizontalPodAutoscalerBehavior: schemas of scaling rules and policies.
import { list } from '../../schema/collections.ts';
import { quantity } from '../../schema/quantity-type.ts';
import { int32, named, oneOf } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const HPAScalingPolicy = struct(
  'autoscaling/v2.HPAScalingPolicy',
  {
    type: field(1, named('autoscaling/v2.HPAScalingPolicyType', oneOf('Pods', 'Percent')), {
      required: true,
      doc: 'Whether the value is a number of pods or a share of them.',
    }),
    value: field(2, int32, { required: true, doc: 'The most that may change in the period.' }),
    periodSeconds: field(3, int32, { required: true, doc: 'The period; half an hour at most.' }),
  },
  { doc: 'How much may change in a period.' },
);
export type HPAScalingPolicy = Infer<typeof HPAScalingPolicy>;

export const HPAScalingRules = struct(
  'autoscaling/v2.HPAScalingRules',
  {
    stabilizationWindowSeconds: field(3, optional(int32), {
      doc: 'For how long earlier results still count, so that a short peak or dip changes nothing; an hour at most. 0 by default upwards, and what the controller is set to downwards.',
    }),
    selectPolicy: field(
      1,
      optional(named('autoscaling/v2.ScalingPolicySelect', oneOf('Max', 'Min', 'Disabled'))),
      {
        doc: 'Which of the policies counts: Max, the default, that which allows most. Disabled allows nothing.',
      },
    ),
    policies: field(2, list(HPAScalingPolicy, { type: 'atomic' }), {
      doc: 'How much may change; at least one. By default all within 15 seconds, and upwards 4 pods too.',
    }),
    tolerance: field(4, optional(quantity), {
      doc: 'By which share a metric must be off before anything changes. What the controller is set to by default.',
    }),
  },
  { doc: 'How fast the number of pods may change in one direction.' },
);
export type HPAScalingRules = Infer<typeof HPAScalingRules>;

export const HorizontalPodAutoscalerBehavior = struct(
  'autoscaling/v2.HorizontalPodAutoscalerBehavior',
  {
    scaleUp: field(1, optional(HPAScalingRules), { doc: 'When there are to be more pods.' }),
    scaleDown: field(2, optional(HPAScalingRules), { doc: 'When there are to be fewer.' }),
  },
  {
    doc: 'How fast the number of pods may change.',
    defaults(behavior) {
      const everything: HPAScalingPolicy = { type: 'Percent', value: 100, periodSeconds: 15 };
      behavior.scaleUp ??= {};
      behavior.scaleUp.stabilizationWindowSeconds ??= 0;
      behavior.scaleUp.selectPolicy ??= 'Max';
      behavior.scaleUp.policies ??= [{ type: 'Pods', value: 4, periodSeconds: 15 }, { ...everything }];
      behavior.scaleDown ??= {};
      behavior.scaleDown.selectPolicy ??= 'Max';
      behavior.scaleDown.policies ??= [{ ...everything }];
    },
  },
);
export type HorizontalPodAutoscalerBehavior = Infer<typeof HorizontalPodAutoscalerBehavior>;
