// HorizontalPodAutoscaler v1: schema and defaults. Field numbers are those of protobuf.
import { kind } from '../../kind/meta/kind.ts';
import { int32, int64, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { CrossVersionObjectReferenceV1 } from './cross-version-object-reference.ts';

const HorizontalPodAutoscalerSpecV1 = struct(
  'autoscaling/v1.HorizontalPodAutoscalerSpec',
  {
    scaleTargetRef: field(1, CrossVersionObjectReferenceV1, {
      required: true,
      doc: 'The object to scale. It must have a scale subresource.',
    }),
    minReplicas: field(2, optional(int32), { doc: 'The minimum number of pods. Defaults to 1.' }),
    maxReplicas: field(3, int32, { required: true, doc: 'The maximum number of pods.' }),
    targetCPUUtilizationPercentage: field(4, optional(int32), {
      doc: 'The target average CPU utilization, in percent of the requested CPU. Defaults to 80 if there are no other metrics.',
    }),
  },
  {
    doc: 'The specification of a HorizontalPodAutoscaler.',
    defaults(spec) {
      spec.minReplicas ??= 1;
    },
  },
);

const HorizontalPodAutoscalerStatusV1 = struct(
  'autoscaling/v1.HorizontalPodAutoscalerStatus',
  {
    observedGeneration: field(1, optional(int64), {
      doc: 'The generation that the controller last observed.',
    }),
    lastScaleTime: field(2, optional(time), { doc: 'When the autoscaler last changed the number of pods.' }),
    currentReplicas: field(3, int32, { required: true, doc: 'The current number of pods.' }),
    desiredReplicas: field(4, int32, { required: true, doc: 'The desired number of pods.' }),
    currentCPUUtilizationPercentage: field(5, optional(int32), {
      doc: 'The current average CPU utilization, in percent of the requested CPU.',
    }),
  },
  { doc: 'The current status of a HorizontalPodAutoscaler.' },
);

export const HorizontalPodAutoscalerV1 = kind(
  'autoscaling/v1.HorizontalPodAutoscaler',
  {
    spec: field(2, HorizontalPodAutoscalerSpecV1, { doc: 'The specification of the autoscaler.' }),
    status: field(3, HorizontalPodAutoscalerStatusV1, { doc: 'The current status of the autoscaler.' }),
  },
  {
    doc: 'Scales the number of pods of a workload by metrics. Version v1 has fields for CPU utilization only; other metrics of v2 are kept in annotations.',
  },
);
export type HorizontalPodAutoscalerV1 = Infer<typeof HorizontalPodAutoscalerV1>;
