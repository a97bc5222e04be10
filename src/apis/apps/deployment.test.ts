import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { deployments } from './deployment-definition.ts';
import { everything, nothing, selector, template, workload } from './workload.fixture.ts';

const definition = deployments(everything);
const problems = (spec: object) => tryCreate(definition, workload(spec)).problems;
const rolling = (rollingUpdate: object) => problems({ strategy: { type: 'RollingUpdate', rollingUpdate } });

test('a Deployment is one pod, replaced a quarter at a time, with ten revisions kept', () => {
  const { object, problems: none } = tryCreate(definition, workload());
  assert.deepEqual(none, []);
  const { replicas, strategy, revisionHistoryLimit, progressDeadlineSeconds } = object.spec;
  assert.deepEqual(
    { replicas, strategy, revisionHistoryLimit, progressDeadlineSeconds },
    {
      replicas: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    },
  );
  assert.equal(object.metadata.generation, 1);
});

test('Recreate leaves nothing to roll', () => {
  const { object } = tryCreate(definition, workload({ strategy: { type: 'Recreate' } }));
  assert.deepEqual(object.spec.strategy, { type: 'Recreate' });
  assert.deepEqual(problems({ strategy: { type: 'Recreate', rollingUpdate: {} } }), [
    "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
  ]);
});

test('counts are not negative, and the deadline is later than readiness', () => {
  assert.deepEqual(problems({ replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1 }), [
    'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
    'spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
  ]);
  assert.deepEqual(problems({ minReadySeconds: 600 }), [
    'spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds',
  ]);
});

test('something may be missing or too many while pods are replaced', () => {
  assert.deepEqual(rolling({ maxSurge: 0, maxUnavailable: 1 }), []);
  assert.deepEqual(rolling({ maxSurge: '0%', maxUnavailable: 0 }), [
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: intstr.IntOrString{Type:0, IntVal:0, StrVal:""}: may not be 0 when `maxSurge` is 0',
  ]);
  assert.deepEqual(rolling({ maxUnavailable: '101%' }), [
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%',
  ]);
});

test('the selector is there, selects something, and selects the pods of the template', () => {
  const missing = '`selector` does not match template `labels`';
  assert.deepEqual(problems({ selector: null }), [
    'spec.selector: Required value',
    `spec.template.metadata.labels: Invalid value: map[string]string{"app":"web"}: ${missing}`,
  ]);
  assert.match(problems({ selector: {} })[0]!, /empty selector is invalid for deployment$/);
  assert.deepEqual(problems({ selector: { matchLabels: { app: 'db' } } }), [
    `spec.template.metadata.labels: Invalid value: map[string]string{"app":"web"}: ${missing}`,
  ]);
});

test('pods of a Deployment are always started again', () => {
  assert.deepEqual(problems({ template: template({ restartPolicy: 'Never', activeDeadlineSeconds: 1 }) }), [
    'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
  ]);
});

test('the selector never changes', () => {
  const { problems: found } = tryUpdate(
    definition,
    workload(),
    workload({
      selector: { matchLabels: { app: 'db' } },
      template: template({}, { labels: { app: 'db' } }),
    }),
  );
  assert.equal(found.length, 1);
  assert.match(found[0]!, /^spec\.selector: Invalid value: v1\.LabelSelector\{.*\}: field is immutable$/);
});

test('a change of the spec or of annotations is a new generation, one of labels is not', () => {
  const generation = (spec: object, metadata: object) =>
    tryUpdate(definition, workload(), workload(spec, metadata)).object.metadata.generation;
  assert.equal(generation({ replicas: 2 }, {}), 2);
  assert.equal(generation({}, { annotations: { a: 'b' } }), 2);
  assert.equal(generation({}, { labels: { a: 'b' } }), 1);
});

test('a status leaves spec and labels alone, and counts what can be', () => {
  const written = workload({ replicas: 9 }, { labels: { a: 'b' } });
  const { object, problems: found } = tryUpdate(
    definition,
    workload(),
    { ...written, status: { replicas: 1, readyReplicas: 2, terminatingReplicas: 1 } },
    'status',
  );
  assert.equal(object.spec.replicas, 1);
  assert.equal(object.metadata.labels, undefined);
  assert.deepEqual(found, ['status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas']);
});

test('the count of collisions never falls', () => {
  const { rules } = definition.subresources.status!;
  const with_ = (collisionCount: number) => {
    const { object } = tryCreate(definition, workload());
    return { ...object, status: { collisionCount } };
  };
  const errors = rules!.validateUpdate!(with_(1), with_(2));
  assert.deepEqual(
    errors.map(({ field, detail }) => `${field}: ${detail}`),
    ['status.collisionCount: cannot be decremented'],
  );
});

test('pods that are ending are counted only with the feature', () => {
  const status = { replicas: 1, terminatingReplicas: 1 };
  const count = (context: typeof everything) =>
    tryUpdate(deployments(context), workload(), { ...workload(), status }, 'status').object.status
      .terminatingReplicas;
  assert.equal(count(everything), 1);
  assert.equal(count(nothing), undefined);
});

test('a name with dots is warned of', () => {
  const { warnings } = tryCreate(definition, workload({}, { name: 'a.b' }));
  assert.deepEqual(warnings, [
    'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
  ]);
});

test('a scale is read from a Deployment and written into it', () => {
  const { view } = definition.subresources.scale!;
  const { object } = tryCreate(definition, workload({ replicas: 3, selector }));
  const { spec, status } = view!.toView(object) as unknown as Record<string, unknown>;
  assert.deepEqual({ spec, status }, { spec: { replicas: 3 }, status: { replicas: 0, selector: 'app=web' } });
  view!.write({ apiVersion: '', kind: '', metadata: {}, spec: { replicas: 5 } }, object);
  assert.equal(object.spec.replicas, 5);
  const negative = { apiVersion: '', kind: '', metadata: {}, spec: { replicas: -1 } };
  assert.deepEqual(
    view!.validate!(negative).map(({ field }) => field),
    ['spec.replicas'],
  );
});
