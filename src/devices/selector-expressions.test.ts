import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as cel from '../cel/index.ts';
import { SelectorExpressions } from './selector-expressions.ts';

const expressions = new SelectorExpressions(cel, 'orch');
const device = { driver: 'gpu.example.com', attributes: { model: { string: 'a100' } } };

test('an expression evaluates to true or false for a device', () => {
  assert.deepEqual(expressions.select("device.driver == 'gpu.example.com'", device), { fits: true });
  assert.deepEqual(expressions.select("'x.example.com' in device.attributes", device), { fits: false });
});

test('a result that is not bool is an error', () => {
  const model = "device.attributes['gpu.example.com'].model";
  assert.deepEqual(expressions.select(model, device), { problem: 'the result is neither true nor false' });
});

test('an unknown domain is an empty map, and an unknown name an error', () => {
  assert.deepEqual(expressions.select("device.attributes['x'].size() == 0", device), { fits: true });
  assert.deepEqual(expressions.select("device.attributes['x'].model", device), {
    problem: 'no such key: model',
  });
  const bound = "cel.bind(gpu, device.attributes['gpu.example.com'], gpu.model == 'a100')";
  assert.deepEqual(expressions.select(bound, device), { fits: true });
});

test('an expression beyond the cost limit is aborted', () => {
  const list = `[${'1,'.repeat(200)}1]`;
  const slow = `${list}.all(x, ${list}.all(y, ${list}.all(z, x == y)))`;
  assert.deepEqual(expressions.select(slow, device), {
    problem: 'operation cancelled: actual cost limit exceeded',
  });
});
