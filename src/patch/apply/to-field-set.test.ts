// Tests of the fields in an applied configuration, and of their removal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inEverySchema } from '../../apis/apply-laws.fixture.ts';
import type { JsonObject } from '../../codec/json/json-value.ts';
import { emptyFieldSet, type FieldSet, fieldSetOfDottedPaths, fieldSetOfPath } from './field-set.ts';
import { type MergeSchema, mergeSchemaOf } from './merge-schema.ts';
import { type LawSubjects, type SchemaPlan, testPairs, typeOf } from './random-schema.fixture.ts';
import { removeFields } from './remove.ts';
import { ensureNamedFieldsAreMembers, toFieldSet } from './to-field-set.ts';
import { leavesOf, pathText, plain, tidied } from './tracked.fixture.ts';

const leaves = (schema: MergeSchema, value: JsonObject | null) =>
  [...leavesOf(schema, tidied(schema, value ?? {}) as JsonObject)].sort();

function laws(subjects: LawSubjects, numRuns: number): void {
  const law = (name: string, holds: (schema: MergeSchema, value: JsonObject, right: JsonObject) => void) =>
    testPairs(name, subjects, numRuns, holds);

  law('the fields of a value are all places in which it says something', (schema, value) => {
    const found = new Set([...toFieldSet(schema, value).paths()].map(pathText));
    for (const path of leavesOf(schema, value).keys()) assert.ok(found.has(path), path);
  });

  law('a value without all of its fields is nothing', (schema, value) => {
    const rest = removeFields(schema, value, toFieldSet(schema, value)) as JsonObject | null;
    assert.deepEqual(leaves(schema, rest), []);
  });

  law('a value without nothing is itself', (schema, value) => {
    assert.deepEqual(removeFields(schema, value, emptyFieldSet), value);
  });

  law('a value without the fields of another keeps what only it says', (schema, value, right) => {
    const fields = toFieldSet(schema, right);
    const before = plain(value);
    const rest = removeFields(schema, value, fields) as JsonObject | null;
    const taken = [...fields.paths()].map(pathText);
    const expected = leaves(schema, value).filter(
      ([path]) => !taken.some((outer) => path === outer || path.startsWith(`${outer} `)),
    );
    assert.deepEqual(leaves(schema, rest), expected);
    assert.deepEqual(plain(value), before, 'it is not changed');
  });

  law(
    'with the structs on the way there are more places, and none without something below',
    (schema, value) => {
      const fields = toFieldSet(schema, value);
      const whole = ensureNamedFieldsAreMembers(fields, schema);
      assert.ok(fields.difference(whole).isEmpty);
      for (const path of whole.difference(fields).paths()) {
        const below = path.reduce((set, element) => set.below.get(element)!, fields);
        assert.ok(below.below.size > 0);
      }
      assert.equal(ensureNamedFieldsAreMembers(whole, schema), whole);
    },
  );
}

inEverySchema(laws);

const plan: SchemaPlan = {
  struct: {
    n: 'int',
    part: { struct: { x: 'int' } },
    whole: { struct: { x: 'int' }, atomic: true },
    labels: { map: { struct: { x: 'int' } } },
    list: { list: 'int' },
    set: { set: 'string' },
    ports: { keyed: { n: 'int' }, bySide: false },
  },
};
const shape = mergeSchemaOf(typeOf(plan));
const without = (value: JsonObject, fields: FieldSet) => plain(removeFields(shape, value, fields));
const found = (value: JsonObject) => [...toFieldSet(shape, value).paths()].map(pathText).sort();

test('a struct is owned by its fields, map and list items also by themselves', () => {
  assert.deepEqual(found({ n: 1, part: { x: 1 } }), ['f:n', 'f:part f:x']);
  assert.deepEqual(found({ labels: { a: { x: 1 } } }), ['f:labels f:a', 'f:labels f:a f:x']);
  assert.deepEqual(found({ set: ['a', 'b'] }), ['f:set v:"a"', 'f:set v:"b"']);
  assert.deepEqual(found({ ports: [{ id: 'a' }] }), ['f:ports k:{"id":"a"}', 'f:ports k:{"id":"a"} f:id']);
});

test('an atomic value is one field', () => {
  assert.deepEqual(found({ whole: { x: 1 }, list: [1, 2] }), ['f:list', 'f:whole']);
});

test('an empty struct or map and null are owned, an empty list is not', () => {
  assert.deepEqual(found({ part: {}, labels: {}, set: [], n: null, ports: null }), [
    ...['f:labels', 'f:n', 'f:part', 'f:ports'],
  ]);
});

test('undeclared fields are not owned', () => {
  assert.deepEqual(found({ other: 1, part: { other: 1 } }), []);
});

test('duplicate elements are one field', () => {
  const ports = [
    { id: 'a', n: 1 },
    { id: 'a', n: 2 },
  ];
  assert.deepEqual(found({ ports }), ['f:ports k:{"id":"a"}']);
  assert.deepEqual(without({ n: 1, ports }, toFieldSet(shape, { ports })), { n: 1, ports: null });
});

test('a container that loses all its fields becomes null, an empty one is kept', () => {
  const value = { n: 1, part: { x: 1 }, set: ['a'], labels: {} };
  const fields = fieldSetOfDottedPaths(['part.x', 'labels.a']).union(fieldSetOfPath(['f:set', 'v:"a"']));
  assert.deepEqual(without(value, fields), { n: 1, part: null, set: null, labels: {} });
});

test('nothing is removed from an atomic value', () => {
  const value = { whole: { x: 1 }, list: [1] };
  const fields = fieldSetOfDottedPaths(['whole.x']).union(fieldSetOfPath(['f:list', 'i:0']));
  assert.deepEqual(without(value, fields), value);
  assert.equal(without(value, fieldSetOfDottedPaths(['whole', 'list'])), null);
});
