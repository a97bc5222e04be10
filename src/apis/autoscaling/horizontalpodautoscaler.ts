// HorizontalPodAutoscaler v2: schema and defaults. Field numbers are those of protobuf.
import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { int32, int64, named, openEnum, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { conditionStatus } from '../core/condition-status.ts';
import { CrossVersionObjectReference, MetricSpec } from './metric-source.ts';
import { MetricStatus } from './metric-status.ts';
import { HorizontalPodAutoscalerBehavior } from './scaling-behavior.ts';

/** The default metric: average CPU utilization as a percentage of requests. */
export const defaultMetric = (): MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
});

export const HorizontalPodAutoscalerSpec = struct(
  'autoscaling/v2.HorizontalPodAutoscalerSpec',
  {
    scaleTargetRef: field(1, CrossVersionObjectReference, {
      required: true,
      doc: 'The object to scale. It must have a scale subresource.',
    }),
    minReplicas: field(2, optional(int32), { doc: 'The minimum number of pods. Defaults to 1.' }),
    maxReplicas: field(3, int32, { required: true, doc: 'The maximum number of pods.' }),
    metrics: field(4, list(MetricSpec, { type: 'atomic' }), {
      doc: 'The metrics that determine the number of pods. The largest result is used. Defaults to 80% of the requested CPU.',
    }),
    behavior: field(5, optional(HorizontalPodAutoscalerBehavior), {
      doc: 'How fast the autoscaler scales up and down.',
    }),
  },
  {
    doc: 'The specification of a HorizontalPodAutoscaler.',
    defaults(spec) {
      spec.minReplicas ??= 1;
      if ((spec.metrics ?? []).length === 0) spec.metrics = [defaultMetric()];
    },
  },
);
export type HorizontalPodAutoscalerSpec = Infer<typeof HorizontalPodAutoscalerSpec>;

export const HorizontalPodAutoscalerCondition = struct(
  'autoscaling/v2.HorizontalPodAutoscalerCondition',
  {
    type: field(
      1,
      named(
        'autoscaling/v2.HorizontalPodAutoscalerConditionType',
        openEnum('ScalingActive', 'AbleToScale', 'ScalingLimited'),
      ),
      { required: true, doc: 'The type of the condition.' },
    ),
    status: field(2, conditionStatus, { required: true, doc: 'True, False or Unknown.' }),
    lastTransitionTime: field(3, time, { doc: 'When the status last changed.' }),
    reason: field(4, string, { doc: 'A machine-readable reason for the last transition (CamelCase).' }),
    message: field(5, string, { doc: 'A human-readable explanation of the last transition.' }),
  },
  { doc: 'A condition of a HorizontalPodAutoscaler.' },
);
export type HorizontalPodAutoscalerCondition = Infer<typeof HorizontalPodAutoscalerCondition>;

export const HorizontalPodAutoscalerStatus = struct(
  'autoscaling/v2.HorizontalPodAutoscalerStatus',
  {
    observedGeneration: field(1, optional(int64), {
      doc: 'The generation that the controller last observed.',
    }),
    lastScaleTime: field(2, optional(time), { doc: 'When the autoscaler last changed the number of pods.' }),
    currentReplicas: field(3, int32, { doc: 'The current number of pods.' }),
    desiredReplicas: field(4, int32, { required: true, doc: 'The desired number of pods.' }),
    currentMetrics: field(5, list(MetricStatus, { type: 'atomic' }), {
      omitEmpty: false,
      doc: 'The last read values of the metrics.',
    }),
    conditions: field(
      6,
      list(HorizontalPodAutoscalerCondition, {
        type: 'map',
        keys: ['type'],
        patch: 'merge',
        patchKey: 'type',
      }),
      { doc: 'The observed conditions of the autoscaler.' },
    ),
  },
  { doc: 'The current status of a HorizontalPodAutoscaler.' },
);
export type HorizontalPodAutoscalerStatus = Infer<typeof HorizontalPodAutoscalerStatus>;

export const HorizontalPodAutoscaler = kind(
  'autoscaling/v2.HorizontalPodAutoscaler',
  {
    spec: field(2, HorizontalPodAutoscalerSpec, { doc: 'The specification of the autoscaler.' }),
    status: field(3, HorizontalPodAutoscalerStatus, { doc: 'The current status of the autoscaler.' }),
  },
  { doc: 'Scales the number of pods of a workload by metrics.' },
);
export type HorizontalPodAutoscaler = Infer<typeof HorizontalPodAutoscaler>;
