import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deployment } from '../api/apps/deployment.ts';
import type { JsonObject, JsonValue } from '../codec/json/json-value.ts';
import { parseJson } from '../codec/json/parse.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { applyStrategicMerge } from './strategic-merge.ts';

const json = (value: unknown): JsonValue => parseJson(Buffer.from(JSON.stringify(value))).value;
const plain = (value: JsonValue): unknown => JSON.parse(stringifyJson(value));

const containers = (...names: string[]) => names.map((name) => ({ name, image: `${name}:1` }));
const deployment = (spec: object) => json({ spec: { template: { spec } } }) as JsonObject;
function merged(spec: object, patch: object): Record<string, unknown> {
  const result = applyStrategicMerge(deployment(spec), deployment(patch), Deployment).object;
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
  const result = plain(applyStrategicMerge(document as JsonObject, patch as JsonObject, Deployment).object);
  assert.deepEqual(result, { spec: { strategy: { type: 'Recreate' } } });
});

test('values are taken out of a list of strings', () => {
  const document = json({ metadata: { finalizers: ['a/b', 'c/d'] } }) as JsonObject;
  const patch = json({ metadata: { '$deleteFromPrimitiveList/finalizers': ['a/b'] } }) as JsonObject;
  assert.deepEqual(plain(applyStrategicMerge(document, patch, Deployment).object), {
    metadata: { finalizers: ['c/d'] },
  });
});
