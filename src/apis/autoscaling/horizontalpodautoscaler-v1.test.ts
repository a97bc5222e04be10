import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { kubernetes } from '../../dialect/index.ts';
import { everything } from '../apps/workload.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { HorizontalPodAutoscaler } from './horizontalpodautoscaler.ts';
import { HorizontalPodAutoscalerV1 } from './horizontalpodautoscaler-v1.ts';
import { fromV2, toV2 } from './horizontalpodautoscaler-v1-conversion.ts';
import { horizontalpodautoscalersV1 } from './horizontalpodautoscaler-v1-definition.ts';

const definition = horizontalpodautoscalersV1({ ...everything, dialect: kubernetes });
const spec = { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 5 };
const scaler = (of: object = {}, annotations?: object) => ({
  metadata: annotations ? { annotations } : {},
  spec: { ...spec, ...of },
});
const prefix = 'autoscaling.alpha.kubernetes.io';

/** Converts to v1 and back through JSON, as a client that reads and writes v1 does. */
const throughV1 = (v2: HorizontalPodAutoscaler) =>
  HorizontalPodAutoscalerV1.decode(JSON.parse(HorizontalPodAutoscalerV1.write(fromV2(v2, kubernetes))))
    .object;
const read = (json: unknown) =>
  HorizontalPodAutoscaler.decode(json as Parameters<typeof HorizontalPodAutoscaler.decode>[0]).object;
const same = (a: HorizontalPodAutoscaler, b: HorizontalPodAutoscaler) =>
  assert.equal(HorizontalPodAutoscaler.write(a), HorizontalPodAutoscaler.write(b));

const name = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const whole = fc.integer({ min: 1, max: 1000 });
const amount = whole.map(String);
const metric = fc.record(
  { name, selector: fc.record({ matchLabels: fc.dictionary(name, name, { maxKeys: 2 }) }) },
  { requiredKeys: ['name'] },
);
const reference = fc.record({ kind: name, name, apiVersion: name }, { requiredKeys: ['kind', 'name'] });
const average = fc.record({ type: fc.constant('AverageValue'), averageValue: amount });
const either = fc.oneof(average, fc.record({ type: fc.constant('Value'), value: amount }));
const use = fc.oneof(average, fc.record({ type: fc.constant('Utilization'), averageUtilization: whole }));
const source = <K extends string>(type: string, key: K, of: fc.Arbitrary<object>) =>
  of.map((value) => ({ type, [key]: value }));
const metrics = fc.oneof(
  source('Object', 'object', fc.record({ describedObject: reference, metric, target: either })),
  source('Pods', 'pods', fc.record({ metric, target: average })),
  source('Resource', 'resource', fc.record({ name: fc.constant('memory'), target: use })),
  source(
    'ContainerResource',
    'containerResource',
    fc.record({ name: fc.constant('cpu'), container: name, target: use }),
  ),
  source('External', 'external', fc.record({ metric, target: either })),
);
const values = fc.record({ value: amount, averageValue: amount });
const statuses = fc.oneof(
  source('Object', 'object', fc.record({ describedObject: reference, metric, current: values })),
  source('Pods', 'pods', fc.record({ metric, current: fc.record({ averageValue: amount }) })),
  source(
    'Resource',
    'resource',
    fc.record({ name, current: fc.record({ averageValue: amount, averageUtilization: whole }) }),
  ),
  source(
    'ContainerResource',
    'containerResource',
    fc.record({ name, container: name, current: fc.record({ averageValue: amount }) }),
  ),
  source('External', 'external', fc.record({ metric, current: values })),
);
const rules = fc.record(
  {
    stabilizationWindowSeconds: whole,
    selectPolicy: fc.constantFrom('Max', 'Min', 'Disabled'),
    policies: fc.array(
      fc.record({ type: fc.constantFrom('Pods', 'Percent'), value: whole, periodSeconds: whole }),
    ),
    tolerance: amount,
  },
  { requiredKeys: [] },
);
const condition = fc.record({
  type: name,
  status: fc.constantFrom('True', 'False'),
  lastTransitionTime: fc.constant('2024-01-02T03:04:05Z'),
  reason: name,
  message: name,
});
const autoscaler = fc.record({
  metadata: fc.record({ name, annotations: fc.dictionary(name, name) }, { requiredKeys: ['name'] }),
  spec: fc.record(
    {
      scaleTargetRef: reference,
      maxReplicas: whole,
      minReplicas: whole,
      metrics: fc
        .tuple(fc.array(metrics, { minLength: 1, maxLength: 3 }), fc.option(whole, { nil: undefined }))
        .map(([others, cpu]) => {
          const target = { type: 'Utilization', averageUtilization: cpu };
          // v1 has a field for CPU utilization; conversion appends it last.
          return cpu === undefined
            ? others
            : [...others, { type: 'Resource', resource: { name: 'cpu', target } }];
        }),
      behavior: fc.record({ scaleUp: rules, scaleDown: rules }, { requiredKeys: [] }),
    },
    { requiredKeys: ['scaleTargetRef', 'maxReplicas', 'metrics'] },
  ),
  status: fc.record(
    {
      observedGeneration: whole,
      lastScaleTime: fc.constant('2024-01-02T03:04:05Z'),
      currentReplicas: whole,
      desiredReplicas: whole,
      currentMetrics: fc.array(statuses, { maxLength: 3 }),
      conditions: fc.array(condition, { maxLength: 2 }),
    },
    { requiredKeys: ['desiredReplicas'] },
  ),
});

test('what v2 says comes back from v1, whatever it is', () => {
  fc.assert(
    fc.property(autoscaler, (json) => {
      const v2 = read(json);
      same(toV2(throughV1(v2), kubernetes), v2);
    }),
  );
});

test('what v1 says comes back from v2', () => {
  const v1 = { spec: { ...spec, minReplicas: 2, targetCPUUtilizationPercentage: 30 }, status: {} };
  const { object } = HorizontalPodAutoscalerV1.decode(v1);
  const back = fromV2(toV2(object, kubernetes), kubernetes);
  assert.equal(HorizontalPodAutoscalerV1.write(back), HorizontalPodAutoscalerV1.write(object));
});

test('v1 has a field for the use of CPU, and annotations for all else', () => {
  const v2 = read({
    metadata: { name: 'a', annotations: { own: 'x' } },
    spec: {
      ...spec,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
        },
        {
          type: 'Pods',
          pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '5' } },
        },
      ],
    },
    status: { desiredReplicas: 1 },
  });
  const v1 = fromV2(v2, kubernetes);
  assert.equal(v1.spec.targetCPUUtilizationPercentage, 70);
  assert.deepEqual(
    { ...v1.metadata.annotations },
    {
      own: 'x',
      [`${prefix}/metrics`]: '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"5"}}]',
    },
  );
});

test('a v1 autoscaler without metrics keeps CPU at 80%', () => {
  const { object, problems } = tryCreate(definition, scaler());
  assert.deepEqual(problems, []);
  assert.equal(object.spec.targetCPUUtilizationPercentage, 80);
});

for (const text of ['garbage', '{}', '[1]', '[{"type":5}]', '{"__proto__":{}}']) {
  test(`an annotation that says ${text} is ignored`, () => {
    const annotations = { [`${prefix}/metrics`]: text, [`${prefix}/conditions`]: text };
    const { object, problems } = tryCreate(
      definition,
      scaler({ targetCPUUtilizationPercentage: 30 }, annotations),
    );
    assert.deepEqual(problems, []);
    assert.equal(object.metadata.annotations, undefined);
    assert.equal(object.spec.targetCPUUtilizationPercentage, 30);
  });
}

test('v1 is checked by the rules of v2, under their paths', () => {
  assert.deepEqual(tryCreate(definition, scaler({ targetCPUUtilizationPercentage: 0 })).problems, [
    'spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0',
  ]);
});

test('an update of v1 leaves a status alone that v1 has no fields for', () => {
  const stored = read({
    metadata: { name: 'a' },
    spec: { ...spec, metrics: [] },
    status: {
      desiredReplicas: 1,
      currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 12 } } }],
    },
  });
  const old = fromV2(stored, kubernetes);
  const sent = throughV1(stored);
  sent.spec.maxReplicas = 9;
  sent.metadata.annotations![`${prefix}/current-metrics`] = '[]';
  definition.strategy.prepareForUpdate!(sent, old, '2030-01-02T03:04:05Z');
  const written = definition.conversion!.toStored(sent) as HorizontalPodAutoscaler;
  assert.deepEqual(written.status, stored.status);
  assert.equal(written.spec.maxReplicas, 9);
});

test('a status written through v1 changes nothing else', () => {
  const status = { currentReplicas: 1, desiredReplicas: 2, currentCPUUtilizationPercentage: 12 };
  const { object, problems } = tryUpdate(
    definition,
    scaler(),
    { ...scaler({ maxReplicas: 9 }), status },
    'status',
  );
  assert.deepEqual(problems, []);
  assert.equal(object.spec.maxReplicas, 5);
  assert.equal(object.status.currentCPUUtilizationPercentage, 12);
});
