// Tests of strategic merge patches.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deployment } from '../apis/apps/deployment.ts';
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

test('$patch: delete removes a list item by its key', () => {
  const result = merged(
    { containers: containers('a', 'b') },
    { containers: [{ name: 'a', $patch: 'delete' }] },
  );
  assert.deepEqual(result.containers, containers('b'));
});

test('a list is replaced if the patch or the schema says so', () => {
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

test('$setElementOrder orders the list items', () => {
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

test('$retainKeys removes all other keys', () => {
  const document = json({ spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } });
  const patch = json({ spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } });
  const result = plain(applyStrategicMerge(document as JsonObject, patch as JsonObject, Deployment).object);
  assert.deepEqual(result, { spec: { strategy: { type: 'Recreate' } } });
});

test('$deleteFromPrimitiveList removes values from a list', () => {
  const document = json({ metadata: { finalizers: ['a/b', 'c/d'] } }) as JsonObject;
  const patch = json({ metadata: { '$deleteFromPrimitiveList/finalizers': ['a/b'] } }) as JsonObject;
  assert.deepEqual(plain(applyStrategicMerge(document, patch, Deployment).object), {
    metadata: { finalizers: ['c/d'] },
  });
});

test('merged lists follow the order of the patch, and other items keep their position', () => {
  const env = (...names: string[]) => names.map((name) => ({ name }));
  const orderOf = (patch: object) => {
    const { containers: merging } = merged(
      { containers: [{ name: 'a', env: env('A', 'B', 'C') }] },
      { containers: [{ name: 'a', ...patch }] },
    );
    return (merging as { env: { name: string }[] }[])[0]!.env.map(({ name }) => name).join('');
  };
  assert.equal(orderOf({ env: env('B', 'D') }), 'ABDC');
  assert.equal(orderOf({ env: env('D', 'C', 'A') }), 'DBCA');
  assert.equal(orderOf({ env: [] }), 'ABC');
  assert.equal(orderOf({ '$setElementOrder/env': env('C', 'A') }), 'BCA');
  assert.equal(orderOf({ '$setElementOrder/env': env('C', 'X', 'A'), env: env('X') }), 'BCXA');
  assert.equal(
    orderOf({ '$setElementOrder/env': env('C', 'A'), env: [{ name: 'B', $patch: 'delete' }] }),
    'CA',
  );
  assert.equal(orderOf({ env: [{ name: 'B', $patch: 'delete' }, { name: 'B' }] }), 'BAC');
  assert.equal(orderOf({ env: [{ $patch: 'replace' }, ...env('Z')] }), 'Z');
});

test('a value added to an absent field loses nulls and directives', () => {
  const result = merged(
    {},
    {
      affinity: { nodeAffinity: { $patch: 'delete' }, podAffinity: {} },
      nodeSelector: { a: 'b', c: null },
      containers: [
        { name: 'a', command: null },
        { name: 'b', $patch: 'delete' },
      ],
    },
  );
  assert.deepEqual(result, {
    affinity: { podAffinity: {} },
    nodeSelector: { a: 'b' },
    containers: [{ name: 'a' }],
  });
});

test('a map or struct with a directive is replaced or emptied', () => {
  const before = { nodeSelector: { a: 'b' }, securityContext: { runAsUser: 1, fsGroup: 2 } };
  const patch = {
    nodeSelector: { $patch: 'delete', c: 'd' },
    securityContext: { $patch: 'replace', runAsUser: 5, fsGroup: null },
  };
  assert.deepEqual(merged(before, patch), {
    nodeSelector: {},
    securityContext: { runAsUser: 5, fsGroup: null },
  });
});

test('an invalid patch is rejected with the reason', () => {
  const spec = { containers: containers('a', 'b'), nodeSelector: { a: 'b' } };
  const problems: [object, string][] = [
    [{ nodeSelector: { $patch: 'merge' } }, 'unknown patch type: merge in map: map[$patch:merge]'],
    [{ nodeSelector: { $patch: 5 } }, 'unknown patch type: %!s(int64=5) in map: map[$patch:5]'],
    [{ nodeSelector: { $retainKeys: 'a' } }, 'invalid patch format of retainKeys'],
    [{ nodeSelector: { $retainKeys: ['a'], c: 'd' } }, 'invalid patch format of retainKeys'],
    [{ containers: [{ image: 'x' }] }, 'map: map[image:x] does not contain declared merge key: name'],
    [
      { containers: [{ $patch: 'delete' }] },
      'map: map[$patch:delete] does not contain declared merge key: name',
    ],
    [{ containers: [{ name: 'a', $patch: 'merge' }] }, 'merging lists cannot yet be specified in the patch'],
    [{ '$setElementOrder/containers': 5 }, 'expected a []interface {}, but received a int64'],
    [{ '$setElementOrder/containers': ['a'] }, 'value for key 0 is not a map'],
    [{ '$setElementOrder/none': [] }, 'unable to find api field in struct PodSpec for the json field "none"'],
    [{ '$setElementOrder/hostname': [] }, 'expected slice or array type, but got: struct'],
    [{ $setElementOrder: [] }, 'invalid patch format of setElementOrder list'],
    [{ $deleteFromPrimitiveList: [] }, 'invalid patch format of primitive list'],
    [
      { '$setElementOrder/containers': [{ name: 'b' }], containers: [{ name: 'c' }] },
      "The order in patch list:\n[map[name:c]]\n doesn't match $setElementOrder list:\n[map[name:b]]\n",
    ],
  ];
  for (const [patch, message] of problems) assert.throws(() => merged(spec, patch), { message });
  assert.throws(() => merged(spec, { containers: ['x'] }), /^Error: list element types are not identical: /);
});

test('applied directives are removed from the patch', () => {
  const document = deployment({ nodeSelector: { a: 'b' }, containers: containers('a') });
  const patch = deployment({
    nodeSelector: { $retainKeys: ['a'] },
    '$setElementOrder/containers': [{ name: 'a' }],
  });
  const { remainingPatch } = applyStrategicMerge(document, patch, Deployment);
  assert.deepEqual(plain(remainingPatch), plain(deployment({ nodeSelector: {} })));
});

test('neither the object nor the patch is changed', () => {
  const document = deployment({ containers: containers('a', 'b'), nodeSelector: { a: 'b' } });
  const patch = deployment({
    containers: [{ name: 'b', image: 'new', env: null }],
    nodeSelector: { $retainKeys: ['c'], c: 'd' },
  });
  const before = stringifyJson([document, patch]);
  applyStrategicMerge(document, patch, Deployment);
  assert.equal(stringifyJson([document, patch]), before);
});

test('keys of a patch cannot change a prototype', () => {
  const evil = parseJson('{"metadata":{"labels":{"__proto__":{"polluted":"x"},"constructor":"y"}}}').value;
  const { object } = applyStrategicMerge(
    json({ metadata: { labels: { a: 'b' } } }) as JsonObject,
    evil as JsonObject,
    Deployment,
  );
  assert.equal(({} as { polluted?: string }).polluted, undefined);
  assert.equal(
    stringifyJson(object),
    '{"metadata":{"labels":{"a":"b","__proto__":{"polluted":"x"},"constructor":"y"}}}',
  );
});
