import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { statefulsets } from './statefulset-definition.ts';
import { everything, nothing, template, workload } from './workload.fixture.ts';

const definition = statefulsets(everything);
const problems = (spec: object) => tryCreate(definition, workload(spec)).problems;
const claim = { metadata: { name: 'data' }, spec: { resources: { requests: { storage: '1Gi' } } } };

test('a StatefulSet is one pod, started in order, whose claims are kept', () => {
  const { object, problems: none } = tryCreate(definition, workload());
  assert.deepEqual(none, []);
  const { spec } = object;
  assert.equal(spec.replicas, 1);
  assert.equal(spec.podManagementPolicy, 'OrderedReady');
  assert.equal(spec.revisionHistoryLimit, 10);
  assert.deepEqual(spec.updateStrategy, {
    type: 'RollingUpdate',
    rollingUpdate: { partition: 0, maxUnavailable: 1 },
  });
  assert.deepEqual(spec.persistentVolumeClaimRetentionPolicy, {
    whenDeleted: 'Retain',
    whenScaled: 'Retain',
  });
});

test('how many pods may be missing can be said only with the feature', () => {
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 1, maxUnavailable: 2 } };
  const strategy = (context: typeof everything) =>
    tryCreate(statefulsets(context), workload({ updateStrategy })).object.spec.updateStrategy.rollingUpdate;
  assert.deepEqual(strategy(everything), { partition: 1, maxUnavailable: 2 });
  assert.deepEqual(strategy(nothing), { partition: 1 });
});

test('claims made from templates say what they are', () => {
  const { object } = tryCreate(definition, workload({ volumeClaimTemplates: [claim] }));
  const [made] = object.spec.volumeClaimTemplates ?? [];
  assert.equal(made?.kind, 'PersistentVolumeClaim');
  assert.equal(made?.apiVersion, 'v1');
});

test('policies are known ones, counts not negative, names DNS labels', () => {
  assert.deepEqual(
    problems({
      podManagementPolicy: 'Nope',
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Nope' },
      ordinals: { start: -1 },
      serviceName: 'a.b',
    }),
    [
      "spec.podManagementPolicy: Invalid value: \"Nope\": must be 'OrderedReady' or 'Parallel'",
      'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Nope": supported values: "Retain", "Delete"',
      'spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0',
      'spec.serviceName: Invalid value: "a.b": must not contain dots',
    ],
  );
  assert.deepEqual(tryCreate(definition, workload({}, { name: 'a.b' })).problems, [
    'metadata.name: Invalid value: "a.b": must not contain dots',
  ]);
});

test('a rolling update says how far it goes, and only a rolling one', () => {
  const rolling = (rollingUpdate: object, type = 'RollingUpdate') =>
    problems({ updateStrategy: { type, rollingUpdate } });
  assert.deepEqual(rolling({ partition: -1, maxUnavailable: '0%' }), [
    'spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0',
    'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"0%"}: cannot be 0',
  ]);
  assert.match(rolling({ partition: 1 }, 'OnDelete')[0]!, /only allowed for updateStrategy 'RollingUpdate'$/);
});

test('only some fields of a StatefulSet change', () => {
  const change = (spec: object) => tryUpdate(definition, workload(), workload(spec)).problems;
  assert.deepEqual(
    change({
      replicas: 3,
      template: template({ dnsPolicy: 'Default' }),
      ordinals: { start: 1 },
      minReadySeconds: 1,
      revisionHistoryLimit: 1,
      updateStrategy: { type: 'OnDelete' },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' },
    }),
    [],
  );
  for (const spec of [
    { serviceName: 'other' },
    { podManagementPolicy: 'Parallel' },
    { volumeClaimTemplates: [claim] },
  ]) {
    assert.deepEqual(change(spec), [
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ]);
  }
});

test('a negative limit of revisions keeps all, and is warned of', () => {
  const { problems: none, warnings } = tryCreate(definition, workload({ revisionHistoryLimit: -1 }));
  assert.deepEqual(none, []);
  assert.deepEqual(warnings, [
    'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
  ]);
});
