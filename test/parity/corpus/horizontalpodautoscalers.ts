import { ask, get, type JsonObject, post, put, subject } from '../case.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { object } from './objects.ts';
import { autoscalers, autoscalersV1, labels, selector } from './workloads.ts';

const target = { kind: 'Deployment', name: 'a', apiVersion: 'apps/v1' };
const scaler = (spec: JsonObject = {}, name = 'a', metadata: JsonObject = {}) =>
  object(name, { spec: { scaleTargetRef: target, maxReplicas: 5, ...spec } }, metadata);
const tried = (spec: JsonObject, metadata?: JsonObject) =>
  post(autoscalers('?dryRun=All'), scaler(spec, 'a', metadata));
const triedV1 = (spec: JsonObject, metadata?: JsonObject) =>
  post(autoscalersV1('?dryRun=All'), scaler(spec, 'a', metadata));
const measured = (...metrics: JsonObject[]) => tried({ metrics });
const behaving = (rules: JsonObject, other: JsonObject = {}) =>
  tried({ behavior: { scaleUp: rules, ...other } });

const cpu = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
};
const metric = { name: 'm', selector };
const everyMetric: JsonObject[] = [
  { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '100Mi' } } },
  cpu,
  {
    type: 'ContainerResource',
    containerResource: {
      name: 'cpu',
      container: 'c',
      target: { type: 'Utilization', averageUtilization: 50 },
    },
  },
  { type: 'Pods', pods: { metric, target: { type: 'AverageValue', averageValue: '1500m' } } },
  {
    type: 'Object',
    object: {
      describedObject: { kind: 'Service', name: 's' },
      metric,
      target: { type: 'Value', value: '2k' },
    },
  },
  { type: 'External', external: { metric, target: { type: 'AverageValue', averageValue: '0.5' } } },
];
const policy = { type: 'Pods', value: 4, periodSeconds: 60 };
const behavior = {
  scaleUp: { stabilizationWindowSeconds: 10, selectPolicy: 'Min', policies: [policy], tolerance: '0.05' },
  scaleDown: { selectPolicy: 'Disabled', policies: [{ type: 'Percent', value: 10, periodSeconds: 30 }] },
};
const condition = {
  type: 'AbleToScale',
  status: 'True',
  lastTransitionTime: '2024-01-02T03:04:05Z',
  reason: 'Because',
  message: 'it is',
};
const status = {
  observedGeneration: 1,
  lastScaleTime: '2024-01-02T03:04:05Z',
  currentReplicas: 3,
  desiredReplicas: 4,
  currentMetrics: [
    { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 60, averageValue: '60m' } } },
    { type: 'Pods', pods: { metric, current: { averageValue: '100' } } },
  ],
  conditions: [condition],
};

export const horizontalPodAutoscalerRules = subject('horizontalpodautoscalers', [
  ...lifecycle(autoscalers, scaler(), {
    full: scaler({ minReplicas: 2, metrics: everyMetric, behavior }, 'full', { labels }),
    change: { spec: { maxReplicas: 7 } },
    status,
  }),
  ...lifecycle(autoscalersV1, scaler(), {
    name: 'v1',
    full: scaler({ minReplicas: 2, targetCPUUtilizationPercentage: 30 }, 'full', { labels }),
    change: { spec: { maxReplicas: 7 } },
    status: {
      observedGeneration: 1,
      lastScaleTime: '2024-01-02T03:04:05Z',
      currentReplicas: 3,
      desiredReplicas: 4,
      currentCPUUtilizationPercentage: 60,
    },
  }),
  ask(
    'v1 keeps in annotations what it cannot say',
    post(autoscalers(), scaler({ metrics: everyMetric, behavior }, 'a', { annotations: { own: 'x' } }), {
      as: 'v2',
    }),
    put(autoscalers('a/status'), withChange('v2', { status })),
    get(autoscalersV1('a'), { as: 'v1' }),
    get(autoscalersV1()),
    put(autoscalersV1('a'), withChange('v1', { spec: { maxReplicas: 9 } })),
    get(autoscalers('a')),
    post(autoscalersV1(), scaler({ targetCPUUtilizationPercentage: 30 }, 'b'), { as: 'b' }),
    get(autoscalers('b')),
    put(autoscalersV1('b/status'), withChange('b', { status: { currentCPUUtilizationPercentage: 12 } })),
    get(autoscalers('b')),
    post(autoscalers(), scaler({ metrics: [cpu] }, 'c')),
    get(autoscalersV1('c')),
    post(autoscalers(), scaler({ metrics: [cpu, cpu] }, 'd')),
    get(autoscalersV1('d')),
    post(autoscalers(), scaler({ metrics: [everyMetric[0] ?? {}] }, 'e')),
    get(autoscalersV1('e')),
    post(autoscalersV1(), scaler({}, 'f')),
    get(autoscalers('f')),
  ),
  ask(
    'an average beside no value comes back from v1',
    post(
      autoscalers(),
      scaler({
        metrics: [
          {
            type: 'Object',
            object: {
              describedObject: { kind: 'Service', name: 's' },
              metric: { name: 'm' },
              target: { type: 'AverageValue', averageValue: '5' },
            },
          },
        ],
      }),
    ),
    get(autoscalersV1('a'), { as: 'v1' }),
    put(autoscalersV1('a'), withChange('v1', {})),
  ),
  ask(
    'annotations of v1 become fields',
    [
      { 'autoscaling.alpha.kubernetes.io/metrics': '[{"type":"Pods","pods":{"metricName":"m"}}]' },
      {
        'autoscaling.alpha.kubernetes.io/metrics':
          '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"5"}}]',
      },
      {
        'autoscaling.alpha.kubernetes.io/metrics':
          '[{"type":"Resource","resource":{"name":"memory","targetAverageUtilization":5}}]',
      },
      { 'autoscaling.alpha.kubernetes.io/metrics': 'garbage' },
      { 'autoscaling.alpha.kubernetes.io/metrics': '[]' },
      { 'autoscaling.alpha.kubernetes.io/conditions': 'garbage' },
      { 'autoscaling.alpha.kubernetes.io/current-metrics': 'garbage' },
      { 'autoscaling.alpha.kubernetes.io/behavior': 'garbage' },
      { 'autoscaling.alpha.kubernetes.io/behavior': '{"ScaleUp":{"StabilizationWindowSeconds":5}}' },
    ].map((annotations) => triedV1({ targetCPUUtilizationPercentage: 30 }, { annotations })),
    post(
      autoscalersV1(),
      scaler({}, 'a', {
        annotations: {
          'autoscaling.alpha.kubernetes.io/behavior': '{"ScaleUp":{"StabilizationWindowSeconds":5}}',
        },
      }),
    ),
    get(autoscalers('a')),
    get(autoscalersV1('a')),
  ),
  ask(
    'what is not said is filled in',
    tried({}),
    tried({ metrics: [] }),
    tried({ minReplicas: 5 }),
    tried({ behavior: {} }),
    behaving({}),
    behaving({ policies: [policy] }),
    behaving({ stabilizationWindowSeconds: 0 }),
    behaving({ selectPolicy: 'Disabled' }),
    tried({ behavior: { scaleDown: {} } }),
    tried({ behavior: { scaleUp: { tolerance: '0' }, scaleDown: { tolerance: 0.1 } } }),
    measured(cpu),
    triedV1({}),
    triedV1({ targetCPUUtilizationPercentage: 1 }),
    tried({ scaleTargetRef: { kind: 'X', name: 'y' } }),
    tried({ scaleTargetRef: { ...target, kind: 'Foo' } }, { generation: 7 }),
  ),
  ask(
    'what is refused',
    post(autoscalers('?dryRun=All'), object('a')),
    post(autoscalersV1('?dryRun=All'), object('a')),
    post(autoscalers('?dryRun=All'), scaler({ maxReplicas: 0 }, 'UPPER')),
    tried({ maxReplicas: 0 }),
    tried({ maxReplicas: -1 }),
    tried({ minReplicas: -1 }),
    tried({ minReplicas: 0 }),
    tried({ minReplicas: 0, metrics: everyMetric }),
    tried({ minReplicas: 6 }),
    tried({ scaleTargetRef: { kind: '', name: '' } }),
    tried({ scaleTargetRef: { kind: 'a/b', name: 'c/d' } }),
    tried({ scaleTargetRef: { kind: 'A', name: 'b', apiVersion: 'a/b/c' } }),
    tried({ scaleTargetRef: { kind: 'A', name: 'b', apiVersion: 'a b' } }),
    triedV1({ targetCPUUtilizationPercentage: 0 }),
    triedV1({ targetCPUUtilizationPercentage: -1 }),
    triedV1({ maxReplicas: 0, minReplicas: -1 }),
  ),
  ask(
    'metrics that are refused',
    measured({}),
    measured({ type: 'Nope' }),
    measured({ type: 'Resource' }),
    measured({ type: 'Object', pods: { metric, target: { type: 'AverageValue', averageValue: '1' } } }),
    measured({ ...cpu, pods: { metric, target: { type: 'AverageValue', averageValue: '1' } } }),
    measured({ type: 'Resource', resource: { target: { type: 'Utilization', averageUtilization: 1 } } }),
    measured({ type: 'Resource', resource: { name: 'cpu', target: {} } }),
    measured({ type: 'Resource', resource: { name: 'cpu', target: { type: 'Nope' } } }),
    measured({ type: 'Resource', resource: { name: 'cpu', target: { type: 'Value', value: '1' } } }),
    measured({ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization' } } }),
    measured({ type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue' } } }),
    measured({
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 0 } },
    }),
    measured({
      type: 'Resource',
      resource: {
        name: 'cpu',
        target: { type: 'Utilization', averageUtilization: 5, averageValue: '5', value: '1' },
      },
    }),
    measured({
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '-5' } },
    }),
    measured({
      type: 'ContainerResource',
      containerResource: { name: '', container: '', target: { type: 'Utilization' } },
    }),
    measured({ type: 'Pods', pods: { metric: { name: '' }, target: { type: 'AverageValue' } } }),
    measured({
      type: 'Pods',
      pods: { metric: { name: 'a/b' }, target: { type: 'AverageValue', averageValue: '0' } },
    }),
    measured({
      type: 'Pods',
      pods: {
        metric: { name: 'm', selector: { matchLabels: { 'b b': '' } } },
        target: { type: 'Value', value: '1' },
      },
    }),
    measured({
      type: 'Object',
      object: { describedObject: {}, metric: { name: '' }, target: { type: 'Value' } },
    }),
    measured({
      type: 'Object',
      object: {
        describedObject: { kind: 'a', name: 'b' },
        metric,
        target: { type: 'Value', value: '0', averageValue: '1' },
      },
    }),
    measured({ type: 'External', external: { metric: { name: '' }, target: {} } }),
    measured({
      type: 'External',
      external: { metric, target: { type: 'Value', value: '1', averageValue: '1' } },
    }),
    measured({
      type: 'External',
      external: { metric, target: { type: 'Utilization', averageUtilization: 1 } },
    }),
    measured({
      type: 'External',
      external: { metric, target: { type: 'Value', averageValue: '-1', value: '-1' } },
    }),
  ),
  ask(
    'behaviours that are refused',
    behaving({ stabilizationWindowSeconds: -1 }),
    behaving({ stabilizationWindowSeconds: 3601 }),
    behaving({ selectPolicy: 'Nope' }),
    behaving({ policies: [] }),
    behaving({ policies: [{}] }),
    behaving({ policies: [{ ...policy, type: 'Nope' }] }),
    behaving({ policies: [{ ...policy, value: 0 }] }),
    behaving({ policies: [{ ...policy, periodSeconds: 0 }] }),
    behaving({ policies: [{ ...policy, periodSeconds: 1801 }] }),
    behaving({ tolerance: '-1' }),
    tried({
      behavior: { scaleDown: { policies: [{ ...policy, value: -1 }], stabilizationWindowSeconds: -5 } },
    }),
  ),
  ask(
    'an update is checked',
    post(autoscalers(), scaler(), { as: 'a' }),
    put(autoscalers('a'), withChange('a', { spec: { maxReplicas: 0 } })),
    put(autoscalers('a'), scaler({ scaleTargetRef: { kind: 'X', name: 'y' }, maxReplicas: 6 })),
    put(autoscalersV1('a'), scaler({ maxReplicas: 0, targetCPUUtilizationPercentage: 0 })),
    put(autoscalersV1('a'), scaler({ maxReplicas: 8, targetCPUUtilizationPercentage: 3 })),
    put(autoscalers('a'), scaler({ minReplicas: 0 })),
    put(autoscalers('a'), scaler({}, 'a', { finalizers: ['bare'] })),
  ),
  ask(
    'statuses that are refused',
    post(autoscalers(), scaler(), { as: 'a' }),
    put(autoscalers('a/status'), withChange('a', { status: { currentReplicas: -1, desiredReplicas: -1 } })),
    put(autoscalersV1('a/status'), withChange('a', { status: { currentReplicas: -1, desiredReplicas: 1 } })),
  ),
]);
