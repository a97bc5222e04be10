import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../../codec/json/parse.ts';
import { numberProblems } from './number-limits.ts';

type Limits = Parameters<typeof numberProblems>[1];

/** What is wrong with a number as JSON writes it, in words. */
function problems(json: string, limits: Limits, isExact: boolean): string[] {
  const value = parseJson(json).value as number;
  return numberProblems(value, limits, isExact).map(
    ({ badValue, detail }) => `${badValue.text}: ${detail('f')}`,
  );
}
const exactly = (json: string, limits: Limits) => problems(json, limits, true);
const asReleased = (json: string, limits: Limits) => problems(json, limits, false);

test('exact: multipleOf divides decimals without rounding', () => {
  for (const [number, multipleOf] of [
    ['0.3', 0.1],
    ['1', 0.1],
    ['19.99', 0.01],
    ['-4.35', 0.05],
    ['1e21', 3e20],
    ['9007199254740993', 3],
    ['0', 7],
  ] as const) {
    const expected = number === '1e21' ? ['1e+21: f in body should be a multiple of 3e+20'] : [];
    assert.deepEqual(exactly(number, { multipleOf }), expected, number);
  }
  assert.deepEqual(exactly('0.30000000000000004', { multipleOf: 0.1 }), [
    '0.30000000000000004: f in body should be a multiple of 0.1',
  ]);
  assert.deepEqual(exactly('9007199254740992', { multipleOf: 3 }), [
    '9007199254740992: f in body should be a multiple of 3',
  ]);
});

test('exact: limits of integers beyond 2^53', () => {
  assert.deepEqual(exactly('9007199254740993', { maximum: 9007199254740992 }), [
    '9007199254740993: f in body should be less than or equal to 9007199254740992',
  ]);
  assert.deepEqual(exactly('9007199254740993', { minimum: 9007199254740992, exclusiveMinimum: true }), []);
  assert.deepEqual(exactly('0', { minimum: 0.3 }), ['0: f in body should be greater than or equal to 0.3']);
});

test('as released: integers are divided by factors cut to integers', () => {
  assert.deepEqual(asReleased('1', { multipleOf: 0.1 }), [
    '0: factor MultipleOf declared for f must be positive: 0',
  ]);
  assert.deepEqual(asReleased('9007199254740993', { multipleOf: 3 }), []);
  assert.deepEqual(asReleased('9007199254740992', { multipleOf: 3 }), [
    '9007199254740992: f in body should be a multiple of 3',
  ]);
  assert.deepEqual(asReleased('0', { minimum: 0.3 }), []);
});

test('as released: floats are multiples with a tolerance', () => {
  for (const number of ['0.3', '0.7', '3.3', '0.30000000000000004']) {
    assert.deepEqual(asReleased(number, { multipleOf: 0.1 }), [], number);
  }
  assert.deepEqual(asReleased('0.15', { multipleOf: 0.1 }), ['0.15: f in body should be a multiple of 0.1']);
  assert.deepEqual(asReleased('1e21', { multipleOf: 0.1 }), ['1e+21: f in body should be a multiple of 0.1']);
});

test('numbers within plain limits are accepted at once, and others are named', () => {
  assert.deepEqual(exactly('5', { minimum: 0, maximum: 5 }), []);
  assert.deepEqual(exactly('5', { maximum: 5, exclusiveMaximum: true }), [
    '5: f in body should be less than 5',
  ]);
  assert.deepEqual(asReleased('-1', { minimum: 0 }), ['-1: f in body should be greater than or equal to 0']);
});
