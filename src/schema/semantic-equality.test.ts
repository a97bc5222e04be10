import assert from 'node:assert/strict';
import { test } from 'node:test';
import { list, mapOf } from './collections.ts';
import { intOrString } from './int-or-string.ts';
import { quantity } from './quantity-type.ts';
import { int32, string } from './scalars.ts';
import { isSemanticallyEqual } from './semantic-equality.ts';
import { field, optional, struct } from './struct.ts';

const Inner = struct('test/v1.Inner', { size: field(1, int32) });
const Thing = struct('test/v1.Thing', {
  name: field(1, string),
  count: field(2, optional(int32)),
  amount: field(3, quantity),
  port: field(4, intOrString),
  words: field(5, list(string), { required: true }),
  labels: field(6, mapOf(string)),
  inner: field(7, Inner),
  maybe: field(8, optional(Inner)),
});

const samples: readonly object[] = [
  {},
  { name: '' },
  { name: 'a' },
  { count: 0 },
  { count: 1 },
  { amount: '0' },
  { amount: '1' },
  { port: 0 },
  { port: 'http' },
  { words: [] },
  { words: ['a'] },
  { words: ['a', 'b'] },
  { labels: {} },
  { labels: { a: 'b' } },
  { labels: { a: 'c' } },
  { labels: { a: 'b', c: 'd' } },
  { inner: {} },
  { inner: { size: 0 } },
  { inner: { size: 1 } },
  { maybe: {} },
  { maybe: { size: 0 } },
];

test('objects are equal exactly if their encodings are equal', () => {
  for (const one of samples) {
    for (const other of samples) {
      const alike = Thing.write(one as never) === Thing.write(other as never);
      assert.equal(
        isSemanticallyEqual(Thing, one, other),
        alike,
        `${JSON.stringify(one)} and ${JSON.stringify(other)} are ${alike ? '' : 'not '}written alike`,
      );
    }
  }
});
