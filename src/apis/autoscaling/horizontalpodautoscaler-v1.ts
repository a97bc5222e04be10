// HorizontalPodAutoscaler v1: schema.
import { kind } from '../../kind/meta/kind.ts';
import { int32, int64 } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import { CrossVersionObjectReferenceV1 } from './cross-version-object-reference.ts';

const HorizontalPodAutoscalerSpecV1 = struct(
  'autoscaling/v1.HorizontalPodAutoscalerSpec',
  {
    scaleTargetRef: field(1, CrossVersionObjectReferenceV1, {
      required: true,
      doc: 'What is resized: an object with a scale.',
    }),
    minReplicas: field(2, optional(int32), { doc: 'The fewest pods. 1 by default.' }),
    maxReplicas: field(3, int32, { required: true, doc: 'The most pods.' }),
    targetCPUUtilizationPercentage: field(4, optional(int32), {
      doc: 'How much of the CPU that they request the pods should use, in percent. 80 by default, where no other metrics are asked for.',
    }),
  },
  {
    doc: 'What an autoscaler is to do.',
    defaults(spec) {
      spec.minReplicas ??= 1;
    },
  },
);

const HorizontalPodAutoscalerStatusV1 = struct(
  'autoscaling/v1.HorizontalPodAutoscalerStatus',
  {
    observedGeneration: field(1, optional(int64), { doc: 'The generation that the controller has seen.' }),
    lastScaleTime: field(2, optional(time), { doc: 'When it last changed the number of pods.' }),
    currentReplicas: field(3, int32, { required: true, doc: 'How many pods it last saw.' }),
    desiredReplicas: field(4, int32, { required: true, doc: 'How many it last wanted.' }),
    currentCPUUtilizationPercentage: field(5, optional(int32), {
      doc: 'How much of the CPU that they request the pods were last seen to use, in percent.',
    }),
  },
  { doc: 'What an autoscaler has done.' },
);

export const HorizontalPodAutoscalerV1 = kind(
  'autoscaling/v1.HorizontalPodAutoscaler',
  {
    spec: field(2, HorizontalPodAutoscalerSpecV1, { doc: 'What it is to do.' }),
    status: field(3, HorizontalPodAutoscalerStatusV1, { doc: 'What it has done.' }),
  },
  {
    doc: 'Keeps the number of pods of something right for what they have to do. This version has fields for the use of CPU; annotations hold what the newer one can say beyond that.',
  },
);
export type HorizontalPodAutoscalerV1 = Infer<typeof HorizontalPodAutoscalerV1>;
