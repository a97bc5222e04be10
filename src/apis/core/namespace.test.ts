import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes, orch } from '../../dialect/index.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { namespaces } from './namespace.ts';

const definition = namespaces(orch);

test('a new namespace is active, finalized by the service and labelled with its name', () => {
  const { object } = tryCreate(definition, { status: { phase: 'Terminating' } });
  assert.deepEqual(object.status, { phase: 'Active' });
  assert.deepEqual(object.spec, { finalizers: ['orch'] });
  assert.equal(object.metadata.labels!['orch.io/metadata.name'], 'n');
});

test('in the other dialect the names are the other ones', () => {
  const { object } = tryCreate(namespaces(kubernetes), {});
  assert.deepEqual(object.spec, { finalizers: ['kubernetes'] });
  assert.equal(object.metadata.labels!['kubernetes.io/metadata.name'], 'n');
});

test('a plain update touches neither spec nor status, and the label cannot be taken away', () => {
  const { object } = tryUpdate(
    definition,
    {},
    { spec: { finalizers: [] }, status: { phase: 'Terminating' } },
  );
  assert.deepEqual(object.spec, { finalizers: ['orch'] });
  assert.deepEqual(object.status, { phase: 'Active' });
  assert.equal(object.metadata.labels!['orch.io/metadata.name'], 'n');
});

test('finalize replaces the finalizers and nothing of the status', () => {
  const { object, problems } = tryUpdate(
    definition,
    {},
    { spec: {}, status: { phase: 'Terminating' } },
    'finalize',
  );
  assert.deepEqual(problems, []);
  assert.equal(object.spec.finalizers, undefined);
  assert.deepEqual(object.status, { phase: 'Active' });
});

test('the phase goes with the deletion', () => {
  const active = tryUpdate(definition, {}, { status: { phase: 'Terminating' } }, 'status');
  assert.deepEqual(active.problems, [
    'status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty',
  ]);
});

test('a namespace that is being deleted waits for the finalizers in its spec', () => {
  const { object } = tryCreate(definition, {});
  const awaits = definition.strategy.awaitsDeletion!;
  object.metadata.deletionTimestamp = '2020-01-01T00:00:00Z';
  definition.strategy.prepareForDelete!(object);
  assert.equal(object.status.phase, 'Terminating');
  assert.equal(awaits(object), true);
  assert.equal(awaits({ ...object, spec: {} }), false);
});

test('the first deletion of a namespace only begins it, even if nothing is left to finalize', () => {
  const { object } = tryCreate(definition, {});
  assert.equal(definition.strategy.awaitsDeletion!({ ...object, spec: {} }), true);
});
