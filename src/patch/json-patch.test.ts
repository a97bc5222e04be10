// Tests of JSON Patch.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '../codec/json/json-value.ts';
import { parseJson } from '../codec/json/parse.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { applyJsonPatch, kubeApiserverOptions, rfc6902 } from './json-patch.ts';
import { decodeJsonPatchLeniently, decodeJsonPatchStrictly } from './json-patch-body.ts';
import { applyMergePatch } from './merge-patch.ts';
import { PatchNotApplicable } from './patch-error.ts';

const json = (value: unknown): JsonValue => parseJson(Buffer.from(JSON.stringify(value))).value;
const plain = (value: JsonValue): unknown => JSON.parse(stringifyJson(value));

const patched = (document: unknown, ...steps: unknown[]) =>
  plain(
    applyJsonPatch(json(document), decodeJsonPatchStrictly(json(steps)).operations, kubeApiserverOptions),
  );

test('a JSON patch adds, removes, replaces, moves, copies and tests', () => {
  assert.deepEqual(patched({ a: [1] }, { op: 'add', path: '/a/-', value: 2 }), { a: [1, 2] });
  assert.deepEqual(patched({ a: [1] }, { op: 'add', path: '/a/0', value: 2 }), { a: [2, 1] });
  assert.deepEqual(patched({ a: 1, b: 2 }, { op: 'remove', path: '/a' }), { b: 2 });
  assert.deepEqual(patched({ a: 1 }, { op: 'replace', path: '/a', value: { b: 1 } }), { a: { b: 1 } });
  assert.deepEqual(patched({ a: 1 }, { op: 'move', from: '/a', path: '/b' }), { b: 1 });
  assert.deepEqual(patched({ a: 1 }, { op: 'copy', from: '/a', path: '/b' }), { a: 1, b: 1 });
  assert.deepEqual(patched({ 'a/b': 1 }, { op: 'test', path: '/a~1b', value: 1 }), { 'a/b': 1 });
});

test('a JSON patch fails if a path does not exist or a test fails', () => {
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

test('copy operations cannot inflate a document without bound', () => {
  const doubling = Array.from({ length: 60 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }));
  assert.throws(() => patched({ a: ['x'.repeat(1000)] }, ...doubling), /too much is copied/);
});

test('a JSON patch cannot change a prototype', () => {
  patched({}, { op: 'add', path: '/__proto__', value: { polluted: true } });
  applyMergePatch(json({}), parseJson(Buffer.from('{"__proto__":{"polluted":true}}')).value);
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

test('the API accepts more than the RFC: negative indexes, absent members, omitted values', () => {
  assert.deepEqual(patched({ a: [1, 2] }, { op: 'add', path: '/a/-1', value: 3 }), { a: [1, 2, 3] });
  assert.deepEqual(patched({ a: [1, 2] }, { op: 'remove', path: '/a/-2' }), { a: [2] });
  assert.deepEqual(patched({}, { op: 'replace', path: '/a', value: 1 }), { a: 1 });
  assert.deepEqual(patched({}, { op: 'test', path: '/a', value: null }), {});
  assert.deepEqual(patched({}, { op: 'copy', from: '/a', path: '/b' }), { b: null });
  assert.deepEqual(patched({}, { op: 'add', path: '/a' }), { a: null });
  assert.deepEqual(patched({ a: 1 }, { op: 'replace', path: '', value: 5 }), { a: 1 });
  assert.deepEqual(patched({ a: 1 }, { op: 'replace', path: '', value: { b: 2 } }), { b: 2 });
});

test('the strict RFC mode rejects these extensions', () => {
  for (const step of [
    { op: 'add', path: '/l/-1', value: 3 },
    { op: 'add', path: '/l/01', value: 3 },
    { op: 'add', path: 'l/0', value: 3 },
    { op: 'replace', path: '/a', value: 1 },
    { op: 'test', path: '/a', value: null },
    { op: 'copy', from: '/a', path: '/b' },
    { op: 'add', path: '/a' },
  ]) {
    const { operations } = decodeJsonPatchStrictly(json([step]));
    assert.throws(() => applyJsonPatch(json({ l: [1, 2] }), operations, rfc6902), PatchNotApplicable);
  }
});

test('objects on the path of an operation have sorted keys afterwards, others keep their order', () => {
  const document = json({ b: { d: 1, c: 2 }, a: { f: 1, e: 2 } });
  const { operations } = decodeJsonPatchStrictly(json([{ op: 'add', path: '/b/x', value: 1 }]));
  const result = applyJsonPatch(document, operations, kubeApiserverOptions);
  assert.equal(stringifyJson(result), '{"a":{"f":1,"e":2},"b":{"c":2,"d":1,"x":1}}');
});

test('insertions into a very long list are bounded', () => {
  const list = Array.from({ length: 100_000 }, () => 0);
  const steps = Array.from({ length: 10_000 }, () => ({ op: 'add', path: '/a/0', value: 1 }));
  assert.throws(() => patched({ a: list }, ...steps), /moved along/);
});

test('duplicate and unknown fields of a JSON patch are reported', () => {
  const { value, duplicates } = parseJson(
    '[{"op":"add","op":"add","path":"/a","more":1,"value":{"x":{"y":1,"y":2}}},{"op":"remove","path":"/a"}]',
  );
  assert.deepEqual(decodeJsonPatchStrictly(value, duplicates).findings, [
    'json patch duplicate field "[0].op"',
    'json patch unknown field "[0].more"',
    'json patch duplicate field "[0].value.x.y"',
  ]);
});

test('a JSON patch of the wrong type is rejected with upstream’s message', () => {
  for (const [body, message] of [
    [{}, 'json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
    [[5], 'json: cannot unmarshal number into Go value of type handlers.jsonPatchOp'],
    [[{ op: 5 }], 'json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string'],
  ] as const) {
    assert.throws(() => decodeJsonPatchStrictly(json(body)), { message });
  }
  assert.deepEqual(decodeJsonPatchLeniently(json([{ op: 5, path: '/a' }])).operations, [
    { op: '', path: '/a' },
  ]);
});
