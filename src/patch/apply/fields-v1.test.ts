// Tests of FieldsV1.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type JsonObject, type JsonValue, RawNumber } from '../../codec/json/json-value.ts';
import { parseJson } from '../../codec/json/parse.ts';
import {
  decodeFieldsV1,
  emptyFieldSet,
  encodeFieldsV1,
  type FieldSet,
  fieldSetOfPath,
  formatPath,
  keyPathElement,
  valuePathElementText,
} from './field-set.ts';

const scalars = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
);
const elements = fc.oneof(
  fc.string({ unit: 'binary' }).map((name) => `f:${name}`),
  fc.constantFrom('f:__proto__', 'f:constructor', 'f:.', 'f:f:x'),
  scalars.map((value) => valuePathElementText(value)),
  fc
    .uniqueArray(fc.tuple(fc.string(), scalars), { selector: ([name]) => name, minLength: 1, maxLength: 3 })
    .map((keys) => keyPathElement(keys)),
  fc.integer({ min: -5, max: 1000 }).map((index) => `i:${index}`),
);
const sets = fc
  .array(fc.array(elements, { minLength: 1, maxLength: 4 }), { maxLength: 8 })
  .map((paths) => paths.reduce((set, path) => set.union(fieldSetOfPath(path)), emptyFieldSet));

const read = (json: string): FieldSet | undefined => decodeFieldsV1(parseJson(json).value);
const written = (set: FieldSet) => encodeFieldsV1(set).text;

test('a set survives a round trip', () => {
  fc.assert(
    fc.property(sets, (set) => {
      const again = read(written(set)) ?? emptyFieldSet;
      assert.ok(again.equals(set), written(set));
      assert.equal(written(again), written(set));
    }),
    { numRuns: 500 },
  );
});

test('equal sets are encoded equally, however they were built', () => {
  fc.assert(
    fc.property(sets, sets, (left, right) => {
      assert.equal(written(left.union(right)), written(right.union(left)));
    }),
  );
});

test('an owned path with children is encoded with a dot, a leaf as an empty object', () => {
  const set = fieldSetOfPath(['f:metadata', 'f:labels']).union(
    fieldSetOfPath(['f:metadata', 'f:labels', 'f:app']),
  );
  const json = '{"f:metadata":{"f:labels":{".":{},"f:app":{}}}}';
  assert.equal(written(set), json);
  assert.ok(read(json)?.equals(set));
  assert.equal(written(emptyFieldSet), '{}');
});

test('an absent fieldsV1 owns nothing', () => {
  assert.ok(decodeFieldsV1(undefined)?.isEmpty);
  assert.ok(read('{}')?.isEmpty);
  assert.ok(read('{".":{}}')?.isEmpty);
});

test('path elements are decoded in any notation and encoded canonically', () => {
  const loose = '{"f:p":{"k:{ \\"protocol\\":\\"TCP\\", \\"port\\": 80 }":{}, "v: 1":{}}}';
  assert.equal(written(read(loose)!), '{"f:p":{"k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}":{},"v:1":{}}}');
});

test('unknown element types are skipped', () => {
  assert.equal(written(read('{"x:new":{"f:a":{}},"f:b":{}}')!), '{"f:b":{}}');
});

test('an invalid FieldsV1 is rejected', () => {
  for (const json of [
    ...['[]', '"f:a"', '1', 'null', '{"a":{}}', '{"f":{}}', '{"":{}}', '{"f:a":[]}', '{"f:a":1}'],
    ...['{"f:a":null}', '{"i:x":{}}', '{"i:":{}}', '{"k:x":{}}', '{"k:[]":{}}', '{"v:":{}}', '{"v:{":{}}'],
  ]) {
    assert.equal(read(json), undefined, json);
  }
});

test('numbers keep their exact text', () => {
  const element = valuePathElementText(new RawNumber('9007199254740993'));
  assert.equal(element, 'v:9007199254740993');
  assert.equal(written(read('{"v:9007199254740993":{}}')!), '{"v:9007199254740993":{}}');
});

test('formatPath prints paths as conflict messages do', () => {
  const shown: [path: string[], text: string][] = [
    [['f:spec', 'f:replicas'], '.spec.replicas'],
    [['f:containers', 'k:{"name":"a"}', 'f:image'], '.containers[name="a"].image'],
    [['f:ports', 'k:{"port":80,"protocol":"TCP"}'], '.ports[port=80,protocol="TCP"]'],
    [['f:finalizers', 'v:"x"'], '.finalizers[="x"]'],
    [['f:list', 'i:3'], '.list[3]'],
  ];
  for (const [path, text] of shown) assert.equal(formatPath(path), text);
});

test('a set is encoded with sorted elements, however it was built', () => {
  const object: JsonObject = JSON.parse('{"i:1":{},"v:1":{},"k:{\\"a\\":1}":{},"f:b":{},"f:a":{}}');
  assert.deepEqual(Object.keys(JSON.parse(written(decodeFieldsV1(object as JsonValue)!))), [
    ...['f:a', 'f:b', 'k:{"a":1}', 'v:1', 'i:1'],
  ]);
});
