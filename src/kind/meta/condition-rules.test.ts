import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldErrorBody } from '../../errors/field-error.ts';
import type { Condition } from './condition.ts';
import { validateConditions } from './condition-rules.ts';

const good: Condition = {
  type: 'Ready',
  status: 'True',
  reason: 'AllIsWell',
  message: 'm',
  lastTransitionTime: '2024-01-02T03:04:05Z',
};
const problems = (...conditions: Partial<Condition>[]) =>
  validateConditions(
    conditions.map((changes) => ({ ...good, ...changes })),
    'c',
  ).map((error) => `${error.field}: ${fieldErrorBody(error)}`);

test('a condition has a type, a status, a time and a reason', () => {
  assert.deepEqual(problems({}), []);
  assert.match(problems({ type: '' })[0]!, /^c\[0\]\.type: Invalid value: ""/);
  assert.match(problems({ status: 'x' })[0]!, /supported values: "False", "True", "Unknown"/);
  assert.deepEqual(problems({ lastTransitionTime: '' }), [
    'c[0].lastTransitionTime: Required value: must be set',
  ]);
  assert.deepEqual(problems({ reason: '' }), ['c[0].reason: Required value: must be set']);
});

test('a reason is one word of limited length', () => {
  for (const reason of ['A', 'a_B', 'ReasonA,ReasonB', 'A:b_']) assert.deepEqual(problems({ reason }), []);
  for (const reason of ['1', 'a b', 'a,'])
    assert.match(problems({ reason })[0]!, /a condition reason must start/);
  assert.match(problems({ reason: 'a'.repeat(1025) })[0]!, /may not be more than 1024 bytes/);
  assert.match(problems({ message: 'a'.repeat(32 * 1024 + 1) })[0]!, /may not be more than 32768 bytes/);
});

test('condition types are unique', () => {
  assert.deepEqual(problems({}, {}), ['c[1].type: Duplicate value: "Ready"']);
});
