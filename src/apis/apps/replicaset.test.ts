import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { replicasets } from './replicaset-definition.ts';
import { everything, template, workload } from './workload.fixture.ts';

const definition = replicasets(everything);

test('a ReplicaSet is one pod when nothing is said', () => {
  const { object, problems } = tryCreate(definition, workload());
  assert.deepEqual(problems, []);
  assert.equal(object.spec.replicas, 1);
});

test('a ReplicaSet has a selector that selects its template', () => {
  const { problems } = tryCreate(definition, { spec: { replicas: -1, minReadySeconds: -1 } });
  assert.deepEqual(problems.slice(0, 4), [
    'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
    'spec.selector: Required value',
    'spec.template.metadata.labels: Invalid value: map[string]string(nil): `selector` does not match template `labels`',
  ]);
});

test('the selector of a ReplicaSet never changes, its template may', () => {
  const changed = workload({ template: template({ dnsPolicy: 'Default' }) });
  assert.deepEqual(tryUpdate(definition, workload(), changed).problems, []);
  const other = workload({
    selector: { matchLabels: { app: 'db' } },
    template: template({}, { labels: { app: 'db' } }),
  });
  assert.match(tryUpdate(definition, workload(), other).problems.join(), /spec\.selector: .*immutable$/);
});

test('annotations of a ReplicaSet are no new generation', () => {
  const { object } = tryUpdate(definition, workload(), workload({}, { annotations: { a: 'b' } }));
  assert.equal(object.metadata.generation, 1);
});

test('no more pods are ready, labelled or available than there are', () => {
  const { problems } = tryUpdate(
    definition,
    workload(),
    {
      ...workload(),
      status: { replicas: 1, fullyLabeledReplicas: 2, readyReplicas: 1, availableReplicas: 2 },
    },
    'status',
  );
  assert.deepEqual(problems, [
    'status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas',
    'status.availableReplicas: Invalid value: 2: cannot be greater than status.replicas',
    'status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas',
  ]);
});
