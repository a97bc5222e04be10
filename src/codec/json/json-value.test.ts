// Tests of JSON values in memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyJson, nullPrototypeObject, RawNumber } from './json-value.ts';

test('an object with a null prototype inherits no properties', () => {
  const object = nullPrototypeObject<number>();
  assert.equal(object.constructor, undefined);
  assert.equal('toString' in object, false);
  const key = '__proto__';
  object[key] = 1;
  assert.deepEqual(Object.keys(object), ['__proto__']);
});

test('a RawNumber compares and calculates like a number', () => {
  const big = new RawNumber('9223372036854775807') as unknown as number;
  assert.ok(big > 5);
  assert.equal(`${big}`, '9223372036854775807');
});

test('copyJson copies deeply and keeps exact numbers', () => {
  const number = new RawNumber('1.0');
  const original = { list: [{ a: 1 }], map: Object.assign(nullPrototypeObject<unknown>(), { number }) };
  const copy = copyJson(original);
  assert.deepEqual(copy, original);
  assert.notEqual(copy.list[0], original.list[0]);
  assert.equal(copy.map.number, number);
  assert.equal(copy.map.constructor, undefined);
});
