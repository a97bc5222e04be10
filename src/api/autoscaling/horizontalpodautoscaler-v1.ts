import { int32, int64 } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { CrossVersionObjectReferenceV1 } from './cross-version-object-reference.ts';

export const HorizontalPodAutoscalerSpecV1 = struct('autoscaling/v1.HorizontalPodAutoscalerSpec', {
  scaleTargetRef: field(1, CrossVersionObjectReferenceV1, { required: true }),
  minReplicas: field(2, optional(int32)),
  maxReplicas: field(3, int32, { required: true }),
  targetCPUUtilizationPercentage: field(4, optional(int32)),
});
export type HorizontalPodAutoscalerSpecV1 = Infer<typeof HorizontalPodAutoscalerSpecV1>;

export const HorizontalPodAutoscalerStatusV1 = struct('autoscaling/v1.HorizontalPodAutoscalerStatus', {
  observedGeneration: field(1, optional(int64)),
  lastScaleTime: field(2, optional(time)),
  currentReplicas: field(3, int32, { required: true }),
  desiredReplicas: field(4, int32, { required: true }),
  currentCPUUtilizationPercentage: field(5, optional(int32)),
});
export type HorizontalPodAutoscalerStatusV1 = Infer<typeof HorizontalPodAutoscalerStatusV1>;

export const HorizontalPodAutoscalerV1 = kind(
  'autoscaling/v1.HorizontalPodAutoscaler',
  {
    spec: field(2, HorizontalPodAutoscalerSpecV1),
    status: field(3, HorizontalPodAutoscalerStatusV1),
  },
  { doc: '' },
);
export type HorizontalPodAutoscalerV1 = Infer<typeof HorizontalPodAutoscalerV1>;

export const horizontalpodautoscalersV1 = (context: KindContext) =>
  resource<HorizontalPodAutoscalerV1>({
    group: 'autoscaling',
    version: 'v1',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    shortNames: ['hpa'],
    categories: ['all'],
    schema: HorizontalPodAutoscalerV1,
    strategy: plainStrategy(context, HorizontalPodAutoscalerV1),
    subresources: { status: statusOf(context, HorizontalPodAutoscalerV1) },
  });
