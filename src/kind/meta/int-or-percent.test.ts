import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldErrorBody } from '../../errors/field-error.ts';
import { intOrPercentValue, validateAtMost100Percent, validateIntOrPercent } from './int-or-percent.ts';

test('a number must not be negative, a string must be a percentage', () => {
  for (const value of [0, 7, '0%', '25%', '150%']) assert.deepEqual(validateIntOrPercent(value, 'x'), []);
  for (const value of [-1, '', '5', '-5%', '1.5%', '%', 'x%']) {
    assert.equal(validateIntOrPercent(value, 'x').length, 1, String(value));
  }
});

test('a percentage is at most 100%, a number is not limited', () => {
  assert.deepEqual(validateAtMost100Percent('100%', 'x'), []);
  assert.deepEqual(validateAtMost100Percent(1000, 'x'), []);
  assert.deepEqual(validateAtMost100Percent('101%', 'x').map(fieldErrorBody), [
    'Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%',
  ]);
});

test('an invalid IntOrString resolves to 0', () => {
  assert.deepEqual([3, '25%', '7', 'x', ''].map(intOrPercentValue), [3, 25, 7, 0, 0]);
});
