import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everything, selector } from '../apps/workload.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { poddisruptionbudgets } from './poddisruptionbudget.ts';

const definition = poddisruptionbudgets(everything);
const budget = (spec: object = {}) => ({ spec: { selector, ...spec } });
const problems = (spec: object) => tryCreate(definition, budget(spec)).problems;

test('an unset selector selects none, an empty one all: both are fine', () => {
  assert.deepEqual(tryCreate(definition, {}).problems, []);
  assert.deepEqual(problems({ selector: {} }), []);
});

test('a budget is what must stay or what may go, not both', () => {
  assert.deepEqual(problems({ minAvailable: '50%' }), []);
  assert.deepEqual(problems({ maxUnavailable: 0 }), []);
  assert.match(
    problems({ minAvailable: 1, maxUnavailable: 1 })[0]!,
    /^spec: .*: minAvailable and maxUnavailable cannot be both set$/,
  );
  assert.match(problems({ minAvailable: '101%' })[0]!, /must not be greater than 100%$/);
  assert.match(problems({ maxUnavailable: 'x' })[0]!, /^spec\.maxUnavailable: .* a valid percent string/);
});

test('the policy for pods that are not ready is a known one', () => {
  assert.deepEqual(problems({ unhealthyPodEvictionPolicy: 'AlwaysAllow' }), []);
  assert.deepEqual(problems({ unhealthyPodEvictionPolicy: '' }), [
    'spec.unhealthyPodEvictionPolicy: Unsupported value: "": supported values: "AlwaysAllow", "IfHealthyBudget"',
  ]);
});

test('any name will do that can stand in a path', () => {
  assert.deepEqual(tryCreate(definition, { metadata: { name: 'UPPER' } }).problems, []);
  assert.deepEqual(tryCreate(definition, { metadata: { name: 'a/b' } }).problems, [
    'metadata.name: Invalid value: "a/b": may not contain \'/\'',
  ]);
});

test('a budget is only updated by who knows its resourceVersion', () => {
  assert.equal(definition.strategy.allowUnconditionalUpdate, false);
});

test('a change of the spec is a new generation', () => {
  assert.equal(tryUpdate(definition, budget(), budget({ minAvailable: 1 })).object.metadata.generation, 2);
});

test('counts of a status are not negative, and its conditions say all they must', () => {
  const status = { disruptionsAllowed: -1, conditions: [{ type: 'X', status: 'True' }] };
  const found = tryUpdate(definition, budget(), { ...budget(), status }, 'status').problems;
  assert.deepEqual(found, [
    'status.conditions[0].lastTransitionTime: Required value: must be set',
    'status.conditions[0].reason: Required value: must be set',
    'status.disruptionsAllowed: Invalid value: -1: must be greater than or equal to 0',
  ]);
});
