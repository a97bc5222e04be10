import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '../codec/json/json-value.ts';
import { parseJson } from '../codec/json/parse.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { applyJsonPatch, asServed } from './json-patch.ts';
import { readJsonPatch } from './json-patch-body.ts';
import { applyMergePatch } from './merge-patch.ts';

const json = (value: unknown): JsonValue => parseJson(Buffer.from(JSON.stringify(value))).value;
const plain = (value: JsonValue): unknown => JSON.parse(stringifyJson(value));

const patched = (document: unknown, ...steps: unknown[]) =>
  plain(applyJsonPatch(json(document), readJsonPatch(json(steps)).operations, asServed));

test('a JSON patch adds, removes, replaces, moves, copies and tests', () => {
  assert.deepEqual(patched({ a: [1] }, { op: 'add', path: '/a/-', value: 2 }), { a: [1, 2] });
  assert.deepEqual(patched({ a: [1] }, { op: 'add', path: '/a/0', value: 2 }), { a: [2, 1] });
  assert.deepEqual(patched({ a: 1, b: 2 }, { op: 'remove', path: '/a' }), { b: 2 });
  assert.deepEqual(patched({ a: 1 }, { op: 'replace', path: '/a', value: { b: 1 } }), { a: { b: 1 } });
  assert.deepEqual(patched({ a: 1 }, { op: 'move', from: '/a', path: '/b' }), { b: 1 });
  assert.deepEqual(patched({ a: 1 }, { op: 'copy', from: '/a', path: '/b' }), { a: 1, b: 1 });
  assert.deepEqual(patched({ 'a/b': 1 }, { op: 'test', path: '/a~1b', value: 1 }), { 'a/b': 1 });
});

test('a JSON patch fails where there is nothing, and where a test does', () => {
  for (const step of [
    { op: 'remove', path: '/x' },
    { op: 'add', path: '/x/y', value: 1 },
    { op: 'add', path: '/a/7', value: 1 },
    { op: 'remove', path: '/a/x' },
    { op: 'test', path: '/a', value: 1 },
    { op: 'move', from: '/x', path: '/b' },
    { op: 'dance', path: '/a' },
    { op: 'add' },
  ]) {
    assert.throws(() => patched({ a: [] }, step), JSON.stringify(step));
  }
});

test('few steps of a JSON patch cannot make much of little', () => {
  const doubling = Array.from({ length: 60 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }));
  assert.throws(() => patched({ a: ['x'.repeat(1000)] }, ...doubling), /too much is copied/);
});

test('no patch reaches a prototype', () => {
  patched({}, { op: 'add', path: '/__proto__', value: { polluted: true } });
  applyMergePatch(json({}), parseJson(Buffer.from('{"__proto__":{"polluted":true}}')).value);
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});
