import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { priorityclasses } from './priorityclass.ts';

const classes = priorityclasses({ dialect: orch, features: everyFeature });

test('PriorityClass: preemptionPolicy is PreemptLowerPriority by default, or Never', () => {
  assert.equal(tryCreate(classes, { value: 1 }).object.preemptionPolicy, 'PreemptLowerPriority');
  assert.deepEqual(tryCreate(classes, { value: 1, preemptionPolicy: 'Never' }).problems, []);
  assert.deepEqual(tryCreate(classes, { value: 1, preemptionPolicy: 'Always' }).problems, [
    'preemptionPolicy: Unsupported value: "Always": supported values: "PreemptLowerPriority", "Never"',
  ]);
});

test('PriorityClass: the value has an upper limit and cannot be changed', () => {
  assert.deepEqual(tryCreate(classes, { value: 1_000_000_001 }).problems, [
    'value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
  ]);
  assert.deepEqual(tryUpdate(classes, { value: 1 }, { value: 2 }).problems, [
    'value: Forbidden: may not be changed in an update.',
  ]);
  assert.deepEqual(
    tryUpdate(classes, { value: 1 }, { value: 1, globalDefault: true, description: 'd' }).problems,
    [],
  );
});

test('PriorityClass: names that begin with system- belong to the service', () => {
  const { problems } = tryCreate(classes, { metadata: { name: 'system-x' }, value: 1 });
  assert.match(problems[0]!, /reserved for system use only/);
  const own = { metadata: { name: 'system-node-critical' }, value: 2_000_001_000 };
  assert.deepEqual(tryCreate(classes, own).problems, []);
});
