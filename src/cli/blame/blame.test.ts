// Tests of field ownership.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../codec/json/json-value.ts';
import { parseJson } from '../../codec/json/parse.ts';
import { formatPath } from '../../patch/apply/field-set.ts';
import { computeBlame, ownedValues } from './blame.ts';

const entry = (manager: string, fieldsV1: JsonValue, more: JsonObject = {}): JsonObject => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  time: '2026-01-31T12:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...more,
});

const of = (managedFields: JsonValue, rest: JsonObject) =>
  computeBlame({ metadata: { managedFields }, ...rest });

/** Every owned path with its managers. */
const owned = (managedFields: JsonValue, rest: JsonObject) =>
  [...ownedValues(of(managedFields, rest).root)].map(
    ({ path, owners }) => `${formatPath(path)} ${owners.map(({ manager }) => manager).join('+')}`,
  );

test('owners have operation and time, in the order of managedFields', () => {
  const { owners } = of(
    [
      entry('applier', {}, { operation: 'Apply', apiVersion: 'apps/v1' }),
      { manager: 'old', operation: 'Update', apiVersion: 'apps/v1', fieldsV1: {}, subresource: 'status' },
    ],
    {},
  );
  assert.deepEqual(owners, [
    {
      manager: 'applier',
      operation: 'Apply',
      apiVersion: 'apps/v1',
      subresource: '',
      time: '2026-01-31T12:00:00Z',
    },
    { manager: 'old', operation: 'Update', apiVersion: 'apps/v1', subresource: 'status', time: undefined },
  ]);
});

test('the output omits managedFields', () => {
  const { root } = of([entry('a', {})], { kind: 'ConfigMap' });
  assert.deepEqual(root.value, { kind: 'ConfigMap', metadata: {} });
});

test('an object without managedFields has no owners', () => {
  for (const object of [{}, { metadata: {} }, { metadata: null }, { metadata: { managedFields: [] } }]) {
    const { owners, root, missing } = computeBlame(object);
    assert.deepEqual([owners, [...ownedValues(root)], missing], [[], [], []]);
  }
});

test('list items are found by their merge keys, in any order', () => {
  const fields = {
    'f:spec': {
      'f:ports': {
        '.': {},
        'k:{"port":53,"protocol":"TCP"}': { '.': {}, 'f:name': {} },
        'k:{"port":53,"protocol":"UDP"}': { '.': {}, 'f:name': {} },
      },
    },
  };
  const ports = [
    { port: 53, protocol: 'UDP', name: 'u' },
    { port: 54, protocol: 'TCP', name: 'other' },
    { port: 53, protocol: 'TCP', name: 't' },
  ];
  assert.deepEqual(owned([entry('a', fields)], { spec: { ports } }), [
    '.spec.ports a',
    '.spec.ports[port=53,protocol="UDP"] a',
    '.spec.ports[port=53,protocol="UDP"].name a',
    '.spec.ports[port=53,protocol="TCP"] a',
    '.spec.ports[port=53,protocol="TCP"].name a',
  ]);
});

test('a list item that lacks a defaulted key is found by its other keys', () => {
  const fields = {
    'f:ports': {
      'k:{"port":53,"protocol":"TCP"}': { 'f:port': {} },
      'k:{"port":53,"protocol":"UDP"}': { 'f:port': {} },
    },
  };
  const ports = [{ port: 53 }, { port: 53, protocol: 'TCP' }, { name: 'neither' }];
  assert.deepEqual(owned([entry('a', fields)], { ports }), [
    '.ports[port=53,protocol="UDP"].port a',
    '.ports[port=53,protocol="TCP"].port a',
  ]);
});

test('set items are found by value, items of other lists by index', () => {
  const fields = { 'f:finalizers': { 'v:"b"': {} }, 'f:numbers': { 'v:1': {} }, 'f:rows': { 'i:1': {} } };
  const rest = { finalizers: ['a', 'b'], numbers: [1, '1'], rows: [{ x: 1 }, { x: 2 }] };
  assert.deepEqual(owned([entry('a', fields)], rest), [
    '.finalizers[="b"] a',
    '.numbers[=1] a',
    '.rows[1] a',
  ]);
});

test('integers beyond the safe range are distinguished', () => {
  const fields = { 'f:ids': { 'v:9007199254740993': {} } };
  const { value } = parseJson('{"ids": [9007199254740992, 9007199254740993]}');
  assert.deepEqual(owned([entry('a', fields)], value as JsonObject), ['.ids[=9007199254740993] a']);
});

test('a field within an atomic value has its owner, unless it has its own', () => {
  const { root } = of([entry('a', { 'f:spec': {} }), entry('b', { 'f:spec': { 'f:x': {} } })], {
    spec: { x: 1, y: 2 },
  });
  const spec = root.members!.get('spec')!;
  const shown = [spec, ...spec.members!.values()].map(({ owners, isPart }) => [owners[0]?.manager, isPart]);
  assert.deepEqual(shown, [
    ['a', false],
    ['b', false],
    ['a', true],
  ]);
});

test('owned fields that the object lacks are reported', () => {
  const fields = {
    'f:metadata': { 'f:labels': { '.': {}, 'f:gone': {} } },
    'f:spec': { 'f:ports': { 'k:{"port":80}': { '.': {}, 'f:port': {} } }, 'f:size': { 'f:x': {} } },
  };
  const { missing } = of([entry('a', fields)], { spec: { ports: [{ port: 81 }], size: 3 } });
  assert.deepEqual(
    missing.map(({ path, owner }) => `${owner.manager} ${formatPath(path)}`),
    [
      'a .metadata.labels',
      'a .metadata.labels.gone',
      'a .spec.ports[port=80]',
      'a .spec.ports[port=80].port',
      'a .spec.size.x',
    ],
  );
});

test('an invalid entry does not hide the others', () => {
  const { unreadable, root } = of([entry('odd', { nonsense: {} }), entry('a', { 'f:x': {} })], { x: 1 });
  assert.deepEqual(
    unreadable.map(({ manager }) => manager),
    ['odd'],
  );
  assert.equal([...ownedValues(root)].length, 1);
});

test('keys such as constructor and __proto__ are ordinary keys', () => {
  const { value } = parseJson('{"data": {"__proto__": {"x": 1}, "constructor": "c"}}');
  const fields = { 'f:data': { 'f:__proto__': { 'f:x': {} }, 'f:constructor': {} } };
  assert.deepEqual(owned([entry('a', fields)], value as JsonObject), [
    '.data.__proto__.x a',
    '.data.constructor a',
  ]);
});
