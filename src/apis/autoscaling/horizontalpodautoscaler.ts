// HorizontalPodAutoscaler v2: schema and defaults.
import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { int32, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
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
      doc: 'What is resized: an object with a scale.',
    }),
    minReplicas: field(2, optional(int32), { doc: 'The fewest pods. 1 by default.' }),
    maxReplicas: field(3, int32, { required: true, doc: 'The most pods.' }),
    metrics: field(4, list(MetricSpec, { type: 'atomic' }), {
      doc: 'What is measured. The metric that wants most pods gets its way. By default CPU, 80% of what is requested.',
    }),
    behavior: field(5, optional(HorizontalPodAutoscalerBehavior), {
      doc: 'How fast the number of pods may change.',
    }),
  },
  {
    doc: 'What an autoscaler is to do.',
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
        oneOf('ScalingActive', 'AbleToScale', 'ScalingLimited'),
      ),
      { required: true, doc: 'What the condition is about.' },
    ),
    status: field(2, conditionStatus, { required: true, doc: 'Whether it holds.' }),
    lastTransitionTime: field(3, time, { doc: 'When that last changed.' }),
    reason: field(4, string, { doc: 'Why, in one word for machines.' }),
    message: field(5, string, { doc: 'Why, in a sentence for people.' }),
  },
  { doc: 'How an autoscaler is getting on, in one respect.' },
);
export type HorizontalPodAutoscalerCondition = Infer<typeof HorizontalPodAutoscalerCondition>;

export const HorizontalPodAutoscalerStatus = struct(
  'autoscaling/v2.HorizontalPodAutoscalerStatus',
  {
    observedGeneration: field(1, optional(int64), { doc: 'The generation that the controller has seen.' }),
    lastScaleTime: field(2, optional(time), { doc: 'When it last changed the number of pods.' }),
    currentReplicas: field(3, int32, { doc: 'How many pods it last saw.' }),
    desiredReplicas: field(4, int32, { required: true, doc: 'How many it last wanted.' }),
    currentMetrics: field(5, list(MetricStatus, { type: 'atomic' }), {
      alwaysWritten: true,
      doc: 'What it last measured.',
    }),
    conditions: field(
      6,
      list(HorizontalPodAutoscalerCondition, {
        type: 'map',
        keys: ['type'],
        patch: 'merge',
        patchKey: 'type',
      }),
      { doc: 'How it is getting on.' },
    ),
  },
  { doc: 'What an autoscaler has done.' },
);
export type HorizontalPodAutoscalerStatus = Infer<typeof HorizontalPodAutoscalerStatus>;

export const HorizontalPodAutoscaler = kind(
  'autoscaling/v2.HorizontalPodAutoscaler',
  {
    spec: field(2, HorizontalPodAutoscalerSpec, { doc: 'What it is to do.' }),
    status: field(3, HorizontalPodAutoscalerStatus, { doc: 'What it has done.' }),
  },
  { doc: 'Keeps the number of pods of something right for what they have to do.' },
);
export type HorizontalPodAutoscaler = Infer<typeof HorizontalPodAutoscaler>;
