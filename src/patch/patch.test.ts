import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deployment } from '../api/apps/deployment.ts';
import type { JsonObject, JsonValue } from '../codec/json/json-value.ts';
import { parseJson } from '../codec/json/parse.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { applyJsonPatch, asServed } from './json-patch.ts';
import { readJsonPatch } from './json-patch-body.ts';
import { applyMergePatch } from './merge-patch.ts';
import { applyStrategicMerge } from './strategic-merge.ts';

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

const containers = (...names: string[]) => names.map((name) => ({ name, image: `${name}:1` }));
const deployment = (spec: object) => json({ spec: { template: { spec } } }) as JsonObject;
function merged(spec: object, patch: object): Record<string, unknown> {
  const result = applyStrategicMerge(deployment(spec), deployment(patch), Deployment);
  return (plain(result) as { spec: { template: { spec: Record<string, unknown> } } }).spec.template.spec;
}

test('lists with a merge key are merged element by element', () => {
  const result = merged({ containers: containers('a', 'b') }, { containers: [{ name: 'b', image: 'new' }] });
  assert.deepEqual(result.containers, [
    { name: 'a', image: 'a:1' },
    { name: 'b', image: 'new' },
  ]);
});

test('an element is taken out of a list by its key', () => {
  const result = merged(
    { containers: containers('a', 'b') },
    { containers: [{ name: 'a', $patch: 'delete' }] },
  );
  assert.deepEqual(result.containers, containers('b'));
});

test('a list is replaced where the patch says so, and where the schema does', () => {
  const replaced = merged(
    { containers: containers('a', 'b') },
    { containers: [{ $patch: 'replace' }, { name: 'c', image: 'c:1' }] },
  );
  assert.deepEqual(replaced.containers, containers('c'));
  const command = merged(
    { containers: [{ name: 'a', command: ['x', 'y'] }] },
    { containers: [{ name: 'a', command: ['z'] }] },
  );
  assert.deepEqual(command.containers, [{ name: 'a', command: ['z'] }]);
});

test('elements come in the order that the patch names', () => {
  const result = merged(
    { containers: containers('a', 'b', 'c') },
    {
      '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }],
      containers: [{ name: 'a', image: 'new' }],
    },
  );
  assert.deepEqual(
    (result.containers as { name: string }[]).map(({ name }) => name),
    ['b', 'c', 'a'],
  );
});

test('retainKeys drops what the patch does not name', () => {
  const document = json({ spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } });
  const patch = json({ spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } });
  const result = plain(applyStrategicMerge(document as JsonObject, patch as JsonObject, Deployment));
  assert.deepEqual(result, { spec: { strategy: { type: 'Recreate' } } });
});

test('values are taken out of a list of strings', () => {
  const document = json({ metadata: { finalizers: ['a/b', 'c/d'] } }) as JsonObject;
  const patch = json({ metadata: { '$deleteFromPrimitiveList/finalizers': ['a/b'] } }) as JsonObject;
  assert.deepEqual(plain(applyStrategicMerge(document, patch, Deployment)), {
    metadata: { finalizers: ['c/d'] },
  });
});
