import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everything, nothing } from '../apps/workload.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { horizontalpodautoscalers } from './horizontalpodautoscaler-definition.ts';

const definition = horizontalpodautoscalers(everything);
const scaler = (spec: object = {}, metadata: object = {}) => ({
  metadata,
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 5, ...spec },
});
const problems = (spec: object) => tryCreate(definition, scaler(spec)).problems;
const measured = (...metrics: object[]) => problems({ metrics });

test('an autoscaler keeps one pod at least, and CPU at 80%', () => {
  const { object, problems: none } = tryCreate(definition, scaler());
  assert.deepEqual(none, []);
  assert.equal(object.spec.minReplicas, 1);
  assert.deepEqual(object.spec.metrics, [
    {
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
    },
  ]);
  assert.equal(object.spec.behavior, undefined);
});

test('a behaviour is filled in for both directions', () => {
  const { spec } = tryCreate(definition, scaler({ behavior: { scaleDown: { selectPolicy: 'Min' } } })).object;
  assert.deepEqual(spec.behavior, {
    scaleDown: { selectPolicy: 'Min', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
    scaleUp: {
      stabilizationWindowSeconds: 0,
      selectPolicy: 'Max',
      policies: [
        { type: 'Pods', value: 4, periodSeconds: 15 },
        { type: 'Percent', value: 100, periodSeconds: 15 },
      ],
    },
  });
});

test('the bounds are positive and in order, the target has a kind and a name', () => {
  assert.deepEqual(problems({ maxReplicas: 0, scaleTargetRef: { kind: '', name: 'a/b' } }), [
    'spec.maxReplicas: Invalid value: 0: must be greater than 0',
    'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
    'spec.scaleTargetRef.kind: Required value',
    'spec.scaleTargetRef.name: Invalid value: "a/b": may not contain \'/\'',
  ]);
});

test('none at all is possible only with the feature, and with something to measure then', () => {
  assert.deepEqual(problems({ minReplicas: 0 }), [
    'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
  ]);
  const without = tryCreate(horizontalpodautoscalers(nothing), scaler({ minReplicas: 0 })).problems;
  assert.equal(without[0], 'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1');
});

test('a tolerance is kept only with the feature', () => {
  const behavior = { scaleUp: { tolerance: '0.05' } };
  const tolerance = (context: typeof everything) =>
    tryCreate(horizontalpodautoscalers(context), scaler({ behavior })).object.spec.behavior?.scaleUp
      ?.tolerance;
  assert.equal(tolerance(everything), '50m');
  assert.equal(tolerance(nothing), undefined);
});

test('a metric is of one source, which its type names', () => {
  const cpu = { name: 'cpu', target: { type: 'Utilization', averageUtilization: 5 } };
  assert.deepEqual(measured({ type: 'Resource', resource: cpu }), []);
  assert.deepEqual(measured({ type: 'Pods', resource: cpu }), [
    'spec.metrics[0].pods: Required value: must populate information for the given metric source',
  ]);
  const pods = { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '1' } };
  assert.deepEqual(measured({ type: 'Resource', resource: cpu, pods }), [
    'spec.metrics[0].pods: Forbidden: must populate the given metric source only',
  ]);
});

test('a target is positive, and one of those the source knows', () => {
  const external = (target: object) =>
    measured({ type: 'External', external: { metric: { name: 'm' }, target } });
  assert.deepEqual(external({ type: 'Value', value: '1', averageValue: '1' }), [
    'spec.metrics[0].external.target.value: Forbidden: may not set both a target value for metric and a per-pod target',
  ]);
  assert.match(
    external({ type: 'Value', value: '-1' })[0]!,
    /^spec\.metrics\[0\]\.external\.target\.value: .*must be positive$/,
  );
  assert.deepEqual(measured({ type: 'Resource', resource: { name: 'cpu', target: { type: 'Value' } } }), [
    'spec.metrics[0].resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization',
  ]);
});

test('rules of a behaviour are bounded', () => {
  const up = (scaleUp: object) => problems({ behavior: { scaleUp } });
  assert.deepEqual(up({ stabilizationWindowSeconds: 3601, selectPolicy: 'Some', policies: [] }), [
    'spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600',
    'spec.behavior.scaleUp.selectPolicy: Unsupported value: "Some": supported values: "Disabled", "Max", "Min"',
    'spec.behavior.scaleUp.policies: Required value: must specify at least one Policy',
  ]);
  assert.deepEqual(up({ policies: [{ type: 'x', value: 0, periodSeconds: 1801 }] }), [
    'spec.behavior.scaleUp.policies[0].type: Unsupported value: "x": supported values: "Percent", "Pods"',
    'spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero',
    'spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800',
  ]);
});

test('autoscalers do not count their generations', () => {
  assert.equal(tryCreate(definition, scaler()).object.metadata.generation, undefined);
  assert.equal(
    tryUpdate(definition, scaler(), scaler({ maxReplicas: 7 })).object.metadata.generation,
    undefined,
  );
});
