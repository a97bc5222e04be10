import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as cel from '../cel/index.ts';
import { evaluateSelectors } from './select.ts';
import { SelectorExpressions } from './selector-expressions.ts';

const expressions = new SelectorExpressions(cel, 'orch');
const device = (name: string, cores: number) => ({
  driver: 'gpu.example.com',
  pool: 'p',
  name,
  attributes: { cores: { int: cores } },
});
const devices = [device('a', 4), device('b', 8), device('c', 16)];
const cores = "device.attributes['gpu.example.com'].cores";
const matching = (...selectors: string[]) =>
  evaluateSelectors(expressions, selectors, devices).evaluations.map(
    ({ device: { name }, matches, failedSelectorIndex }) => [name, matches, failedSelectorIndex],
  );

test('a device matches if it satisfies every selector, and the first failed one is reported', () => {
  assert.deepEqual(matching(`${cores} > 4`, `${cores} < 16`), [
    ['a', false, 0],
    ['b', true, undefined],
    ['c', false, 1],
  ]);
});

test('a class without selectors matches every device', () => {
  assert.deepEqual(
    matching().map(([, matches]) => matches),
    [true, true, true],
  );
});

test('an unknown attribute, or a result that is not bool, aborts the selection', () => {
  const missing = evaluateSelectors(expressions, [`${cores} < 8 || device.attributes['x'].y == 1`], devices);
  assert.equal(missing.evaluations.length, 1);
  assert.deepEqual(missing.failure, { device: devices[1], selectorIndex: 0, problem: 'no such key: y' });
  const number = evaluateSelectors(expressions, ['true', cores], devices);
  assert.deepEqual(number.evaluations, []);
  assert.equal(number.failure?.problem, 'the result is neither true nor false');
});
