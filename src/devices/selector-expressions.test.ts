import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as cel from '../cel/index.ts';
import { SelectorExpressions } from './selector-expressions.ts';

const expressions = new SelectorExpressions(cel, 'orch');
const device = { driver: 'gpu.example.com', attributes: { model: { string: 'a100' } } };

test('an expression evaluates to true or false for a device', () => {
  assert.deepEqual(expressions.evaluate("device.driver == 'gpu.example.com'", device), { matches: true });
  assert.deepEqual(expressions.evaluate("'x.example.com' in device.attributes", device), { matches: false });
});

test('a result that is not bool is an error', () => {
  const model = "device.attributes['gpu.example.com'].model";
  assert.deepEqual(expressions.evaluate(model, device), { problem: 'the result is neither true nor false' });
});

test('an unknown domain is an empty map, and an unknown name an error', () => {
  assert.deepEqual(expressions.evaluate("device.attributes['x'].size() == 0", device), { matches: true });
  assert.deepEqual(expressions.evaluate("device.attributes['x'].model", device), {
    problem: 'no such key: model',
  });
  const bound = "cel.bind(gpu, device.attributes['gpu.example.com'], gpu.model == 'a100')";
  assert.deepEqual(expressions.evaluate(bound, device), { matches: true });
});

test('an expression beyond the cost limit is aborted', () => {
  const list = `[${'1,'.repeat(200)}1]`;
  const slow = `${list}.all(x, ${list}.all(y, ${list}.all(z, x == y)))`;
  assert.deepEqual(expressions.evaluate(slow, device), {
    problem: 'operation cancelled: actual cost limit exceeded',
  });
});
