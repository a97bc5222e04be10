import { list } from '../../schema/collections.ts';
import { quantity } from '../../schema/quantity-type.ts';
import { int32, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import type { KindContext } from '../context.ts';
import { conditionStatus } from '../core/condition-status.ts';
import { resourceName } from '../core/resource-name.ts';
import { kind } from '../meta/kind.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

export const CrossVersionObjectReference = struct('autoscaling/v2.CrossVersionObjectReference', {
  kind: field(1, string, { required: true }),
  name: field(2, string, { required: true }),
  apiVersion: field(3, string),
});
export type CrossVersionObjectReference = Infer<typeof CrossVersionObjectReference>;

export const metricSourceType = named(
  'autoscaling/v2.MetricSourceType',
  oneOf('Object', 'Pods', 'Resource', 'ContainerResource', 'External'),
);

export const MetricTarget = struct('autoscaling/v2.MetricTarget', {
  type: field(1, named('autoscaling/v2.MetricTargetType', oneOf('Utilization', 'Value', 'AverageValue')), {
    required: true,
  }),
  value: field(2, optional(quantity)),
  averageValue: field(3, optional(quantity)),
  averageUtilization: field(4, optional(int32)),
});
export type MetricTarget = Infer<typeof MetricTarget>;

export const MetricIdentifier = struct('autoscaling/v2.MetricIdentifier', {
  name: field(1, string, { required: true }),
  selector: field(2, optional(LabelSelector)),
});
export type MetricIdentifier = Infer<typeof MetricIdentifier>;

export const ObjectMetricSource = struct('autoscaling/v2.ObjectMetricSource', {
  describedObject: field(1, CrossVersionObjectReference, { required: true }),
  target: field(2, MetricTarget, { required: true }),
  metric: field(3, MetricIdentifier, { required: true }),
});
export type ObjectMetricSource = Infer<typeof ObjectMetricSource>;

export const PodsMetricSource = struct('autoscaling/v2.PodsMetricSource', {
  metric: field(1, MetricIdentifier, { required: true }),
  target: field(2, MetricTarget, { required: true }),
});
export type PodsMetricSource = Infer<typeof PodsMetricSource>;

export const ResourceMetricSource = struct('autoscaling/v2.ResourceMetricSource', {
  name: field(1, resourceName, { required: true }),
  target: field(2, MetricTarget, { required: true }),
});
export type ResourceMetricSource = Infer<typeof ResourceMetricSource>;

export const ContainerResourceMetricSource = struct('autoscaling/v2.ContainerResourceMetricSource', {
  name: field(1, resourceName, { required: true }),
  target: field(2, MetricTarget, { required: true }),
  container: field(3, string, { required: true }),
});
export type ContainerResourceMetricSource = Infer<typeof ContainerResourceMetricSource>;

export const ExternalMetricSource = struct('autoscaling/v2.ExternalMetricSource', {
  metric: field(1, MetricIdentifier, { required: true }),
  target: field(2, MetricTarget, { required: true }),
});
export type ExternalMetricSource = Infer<typeof ExternalMetricSource>;

export const MetricSpec = struct('autoscaling/v2.MetricSpec', {
  type: field(1, metricSourceType, { required: true }),
  object: field(2, optional(ObjectMetricSource)),
  pods: field(3, optional(PodsMetricSource)),
  resource: field(4, optional(ResourceMetricSource)),
  containerResource: field(7, optional(ContainerResourceMetricSource)),
  external: field(5, optional(ExternalMetricSource)),
});
export type MetricSpec = Infer<typeof MetricSpec>;

export const HPAScalingPolicy = struct('autoscaling/v2.HPAScalingPolicy', {
  type: field(1, named('autoscaling/v2.HPAScalingPolicyType', oneOf('Pods', 'Percent')), { required: true }),
  value: field(2, int32, { required: true }),
  periodSeconds: field(3, int32, { required: true }),
});
export type HPAScalingPolicy = Infer<typeof HPAScalingPolicy>;

export const HPAScalingRules = struct('autoscaling/v2.HPAScalingRules', {
  stabilizationWindowSeconds: field(3, optional(int32)),
  selectPolicy: field(
    1,
    optional(named('autoscaling/v2.ScalingPolicySelect', oneOf('Max', 'Min', 'Disabled'))),
  ),
  policies: field(2, list(HPAScalingPolicy, { type: 'atomic' })),
  tolerance: field(4, optional(quantity)),
});
export type HPAScalingRules = Infer<typeof HPAScalingRules>;

export const HorizontalPodAutoscalerBehavior = struct('autoscaling/v2.HorizontalPodAutoscalerBehavior', {
  scaleUp: field(1, optional(HPAScalingRules)),
  scaleDown: field(2, optional(HPAScalingRules)),
});
export type HorizontalPodAutoscalerBehavior = Infer<typeof HorizontalPodAutoscalerBehavior>;

export const HorizontalPodAutoscalerSpec = struct('autoscaling/v2.HorizontalPodAutoscalerSpec', {
  scaleTargetRef: field(1, CrossVersionObjectReference, { required: true }),
  minReplicas: field(2, optional(int32)),
  maxReplicas: field(3, int32, { required: true }),
  metrics: field(4, list(MetricSpec, { type: 'atomic' })),
  behavior: field(5, optional(HorizontalPodAutoscalerBehavior)),
});
export type HorizontalPodAutoscalerSpec = Infer<typeof HorizontalPodAutoscalerSpec>;

export const MetricValueStatus = struct('autoscaling/v2.MetricValueStatus', {
  value: field(1, optional(quantity)),
  averageValue: field(2, optional(quantity)),
  averageUtilization: field(3, optional(int32)),
});
export type MetricValueStatus = Infer<typeof MetricValueStatus>;

export const ObjectMetricStatus = struct('autoscaling/v2.ObjectMetricStatus', {
  metric: field(1, MetricIdentifier, { required: true }),
  current: field(2, MetricValueStatus, { required: true }),
  describedObject: field(3, CrossVersionObjectReference, { required: true }),
});
export type ObjectMetricStatus = Infer<typeof ObjectMetricStatus>;

export const PodsMetricStatus = struct('autoscaling/v2.PodsMetricStatus', {
  metric: field(1, MetricIdentifier, { required: true }),
  current: field(2, MetricValueStatus, { required: true }),
});
export type PodsMetricStatus = Infer<typeof PodsMetricStatus>;

export const ResourceMetricStatus = struct('autoscaling/v2.ResourceMetricStatus', {
  name: field(1, resourceName, { required: true }),
  current: field(2, MetricValueStatus, { required: true }),
});
export type ResourceMetricStatus = Infer<typeof ResourceMetricStatus>;

export const ContainerResourceMetricStatus = struct('autoscaling/v2.ContainerResourceMetricStatus', {
  name: field(1, resourceName, { required: true }),
  current: field(2, MetricValueStatus, { required: true }),
  container: field(3, string, { required: true }),
});
export type ContainerResourceMetricStatus = Infer<typeof ContainerResourceMetricStatus>;

export const ExternalMetricStatus = struct('autoscaling/v2.ExternalMetricStatus', {
  metric: field(1, MetricIdentifier, { required: true }),
  current: field(2, MetricValueStatus, { required: true }),
});
export type ExternalMetricStatus = Infer<typeof ExternalMetricStatus>;

export const MetricStatus = struct('autoscaling/v2.MetricStatus', {
  type: field(1, metricSourceType, { required: true }),
  object: field(2, optional(ObjectMetricStatus)),
  pods: field(3, optional(PodsMetricStatus)),
  resource: field(4, optional(ResourceMetricStatus)),
  containerResource: field(7, optional(ContainerResourceMetricStatus)),
  external: field(5, optional(ExternalMetricStatus)),
});
export type MetricStatus = Infer<typeof MetricStatus>;

export const HorizontalPodAutoscalerCondition = struct('autoscaling/v2.HorizontalPodAutoscalerCondition', {
  type: field(
    1,
    named(
      'autoscaling/v2.HorizontalPodAutoscalerConditionType',
      oneOf('ScalingActive', 'AbleToScale', 'ScalingLimited'),
    ),
    { required: true },
  ),
  status: field(2, conditionStatus, { required: true }),
  lastTransitionTime: field(3, time),
  reason: field(4, string),
  message: field(5, string),
});
export type HorizontalPodAutoscalerCondition = Infer<typeof HorizontalPodAutoscalerCondition>;

export const HorizontalPodAutoscalerStatus = struct('autoscaling/v2.HorizontalPodAutoscalerStatus', {
  observedGeneration: field(1, optional(int64)),
  lastScaleTime: field(2, optional(time)),
  currentReplicas: field(3, int32),
  desiredReplicas: field(4, int32, { required: true }),
  currentMetrics: field(5, list(MetricStatus, { type: 'atomic' }), { alwaysWritten: true }),
  conditions: field(
    6,
    list(HorizontalPodAutoscalerCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
  ),
});
export type HorizontalPodAutoscalerStatus = Infer<typeof HorizontalPodAutoscalerStatus>;

export const HorizontalPodAutoscaler = kind(
  'autoscaling/v2.HorizontalPodAutoscaler',
  {
    spec: field(2, HorizontalPodAutoscalerSpec),
    status: field(3, HorizontalPodAutoscalerStatus),
  },
  { doc: '' },
);
export type HorizontalPodAutoscaler = Infer<typeof HorizontalPodAutoscaler>;

export const horizontalpodautoscalers = (context: KindContext) =>
  resource<HorizontalPodAutoscaler>({
    group: 'autoscaling',
    version: 'v2',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    shortNames: ['hpa'],
    categories: ['all'],
    schema: HorizontalPodAutoscaler,
    strategy: plainStrategy(context, HorizontalPodAutoscaler),
    subresources: { status: statusOf(context, HorizontalPodAutoscaler) },
  });
