// Tests of JSON Merge Patch.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonValue } from '../codec/json/json-value.ts';
import { parseJson } from '../codec/json/parse.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { applyMergePatch } from './merge-patch.ts';

const json = (value: unknown): JsonValue => parseJson(JSON.stringify(value)).value;
const merged = (document: unknown, patch: unknown): unknown =>
  JSON.parse(stringifyJson(applyMergePatch(json(document), json(patch))));

/** Original, patch, result: the table in appendix A of the RFC. */
const appendixA: [original: unknown, patch: unknown, result: unknown][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

for (const [original, patch, result] of appendixA) {
  test(`RFC 7386, appendix A: ${JSON.stringify(original)} and ${JSON.stringify(patch)}`, () => {
    assert.deepEqual(merged(original, patch), result);
  });
}

test('RFC 7386, section 3: the example of a document', () => {
  const original = {
    title: 'Goodbye!',
    author: { givenName: 'John', familyName: 'Doe' },
    tags: ['example', 'sample'],
    content: 'This will be unchanged',
  };
  const patch = {
    title: 'Hello!',
    phoneNumber: '+01-123-456-7890',
    author: { familyName: null },
    tags: ['example'],
  };
  assert.deepEqual(merged(original, patch), {
    title: 'Hello!',
    author: { givenName: 'John' },
    tags: ['example'],
    content: 'This will be unchanged',
    phoneNumber: '+01-123-456-7890',
  });
});

test('RFC 7386, section 1: the example of what is changed and removed', () => {
  assert.deepEqual(merged({ a: 'b', c: { d: 'e', f: 'g' } }, { a: 'z', c: { f: null } }), {
    a: 'z',
    c: { d: 'e' },
  });
});

test('null is kept as a list item, and removed from objects in lists', () => {
  assert.deepEqual(merged({}, { a: [null, { b: null, c: [{ d: null }] }] }), { a: [null, { c: [{}] }] });
});

test('a merge patch applied twice changes nothing the second time', () => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 3 }), fc.object({ maxDepth: 3 }), (document, patch) => {
      const once = merged(document, patch);
      assert.deepEqual(merged(once, patch), once);
    }),
  );
});

test('a merge patch changes neither the document nor itself', () => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 3 }), fc.object({ maxDepth: 3 }), (given, change) => {
      const [document, patch] = [json(given), json(change)];
      applyMergePatch(document, patch);
      assert.equal(stringifyJson([document, patch]), stringifyJson([json(given), json(change)]));
    }),
  );
});
