import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '../../codec/json/json-value.ts';
import { Comparison } from './comparison.ts';

const isSame = (one: JsonValue, other: JsonValue) => new Comparison().isSame(one, other);

test('values are the same where they say the same', () => {
  assert.ok(isSame({ a: [1, { b: null }], c: 'x' }, { c: 'x', a: [1, { b: null }] }));
  assert.ok(!isSame({ a: 1 }, { a: 2 }));
  assert.ok(!isSame({ a: 1 }, { a: 1, b: 2 }));
  assert.ok(!isSame({ a: 1, b: 2 }, { a: 1 }));
  assert.ok(!isSame([1, 2], [2, 1]));
  assert.ok(!isSame([1], [1, 2]));
  assert.ok(!isSame({}, []));
  assert.ok(!isSame([], null));
  assert.ok(!isSame({ a: null }, {}));
});

test('what is asked of every level of a deep object is compared once', () => {
  let looks = 0;
  let [value, old]: [JsonValue, JsonValue] = [{ end: 1 }, { end: 2 }];
  Object.defineProperty(value, 'end', { enumerable: true, get: () => ++looks && 1 });
  for (let depth = 0; depth < 400; depth++) [value, old] = [{ a: value }, { a: old }];
  const comparison = new Comparison();
  assert.ok(!comparison.isSame(value, old));
  const once = looks;
  for (let depth = 0; depth < 400; depth++) {
    [value, old] = [(value as { a: JsonValue }).a, (old as { a: JsonValue }).a];
    assert.ok(!comparison.isSame(value, old));
  }
  assert.equal(looks, once);
});
