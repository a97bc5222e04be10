import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everything, labels, nothing, template } from '../apps/workload.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { replicationcontrollers } from './replicationcontroller.ts';

const definition = replicationcontrollers(everything);
const controller = (spec: object = {}, metadata: object = {}) => ({
  metadata,
  spec: { template: template(), ...spec },
});

test('labels and selector of a ReplicationController are those of its template', () => {
  const { object, problems } = tryCreate(definition, controller());
  assert.deepEqual(problems, []);
  assert.deepEqual({ ...object.spec.selector }, labels);
  assert.deepEqual({ ...object.metadata.labels }, labels);
  assert.equal(object.spec.replicas, 1);
  const own = tryCreate(definition, controller({}, { labels: { own: 'x' } })).object;
  assert.deepEqual({ ...own.metadata.labels }, { own: 'x' });
});

test('a ReplicationController has a selector and a template that it selects', () => {
  assert.deepEqual(tryCreate(definition, {}).problems, [
    'spec.selector: Required value',
    'spec.template: Required value',
  ]);
  assert.match(tryCreate(definition, controller({ selector: { a: 'b' } })).problems[0]!, /does not match/);
});

test('counts are checked where fields declare it, or by hand', () => {
  const counts = controller({ replicas: -1, minReadySeconds: -1 });
  const fields = (context: typeof everything) =>
    tryCreate(replicationcontrollers(context), counts).problems.map((problem) => problem.split(':')[0]);
  assert.deepEqual(fields(everything), ['spec.replicas', 'spec.minReadySeconds']);
  assert.deepEqual(fields(nothing), ['spec.minReadySeconds', 'spec.replicas']);
});

test('the selector of a ReplicationController may change with its template', () => {
  const changed = controller({ selector: { a: 'b' }, template: template({}, { labels: { a: 'b' } }) });
  assert.deepEqual(tryUpdate(definition, controller(), changed).problems, []);
});

test('ReplicationControllers are selected by the pods they have, and leave them behind', () => {
  const { object } = tryCreate(definition, controller());
  assert.deepEqual(definition.selectableFields!(object), { 'status.replicas': '0' });
  assert.ok(definition.strategy.orphansByDefault);
});
