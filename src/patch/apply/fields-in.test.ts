// Tests of the fields in an applied configuration, and of their removal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inEverySchema } from '../../apis/apply-laws.fixture.ts';
import type { JsonObject } from '../../codec/json/json-value.ts';
import { emptyFieldSet, type FieldSet, fieldsAt, only } from './field-set.ts';
import { fieldsIn, withParents } from './fields-in.ts';
import { type LawSubjects, type SchemaPlan, testPairs, typeOf } from './random-shape.fixture.ts';
import { removeFields } from './remove.ts';
import { type MergeSchema, shapeOf } from './shape.ts';
import { leavesOf, pathText, plain, tidied } from './tracked.fixture.ts';

const leaves = (shape: MergeSchema, value: JsonObject | null) =>
  [...leavesOf(shape, tidied(shape, value ?? {}) as JsonObject)].sort();

function laws(subjects: LawSubjects, numRuns: number): void {
  const law = (name: string, holds: (shape: MergeSchema, value: JsonObject, other: JsonObject) => void) =>
    testPairs(name, subjects, numRuns, holds);

  law('the fields of a value are all places in which it says something', (shape, value) => {
    const found = new Set([...fieldsIn(shape, value).paths()].map(pathText));
    for (const path of leavesOf(shape, value).keys()) assert.ok(found.has(path), path);
  });

  law('a value without all of its fields is nothing', (shape, value) => {
    const rest = removeFields(shape, value, fieldsIn(shape, value)) as JsonObject | null;
    assert.deepEqual(leaves(shape, rest), []);
  });

  law('a value without nothing is itself', (shape, value) => {
    assert.deepEqual(removeFields(shape, value, emptyFieldSet), value);
  });

  law('a value without the fields of another keeps what only it says', (shape, value, other) => {
    const fields = fieldsIn(shape, other);
    const before = plain(value);
    const rest = removeFields(shape, value, fields) as JsonObject | null;
    const taken = [...fields.paths()].map(pathText);
    const expected = leaves(shape, value).filter(
      ([path]) => !taken.some((outer) => path === outer || path.startsWith(`${outer} `)),
    );
    assert.deepEqual(leaves(shape, rest), expected);
    assert.deepEqual(plain(value), before, 'it is not changed');
  });

  law(
    'with the structs on the way there are more places, and none without something below',
    (shape, value) => {
      const fields = fieldsIn(shape, value);
      const whole = withParents(fields, shape);
      assert.ok(fields.difference(whole).isEmpty);
      for (const path of whole.difference(fields).paths()) {
        const below = path.reduce((set, element) => set.below.get(element)!, fields);
        assert.ok(below.below.size > 0);
      }
      assert.equal(withParents(whole, shape), whole);
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
const shape = shapeOf(typeOf(plan));
const without = (value: JsonObject, fields: FieldSet) => plain(removeFields(shape, value, fields));
const found = (value: JsonObject) => [...fieldsIn(shape, value).paths()].map(pathText).sort();

test('a struct is only what is in it, elements of maps and lists are also themselves', () => {
  assert.deepEqual(found({ n: 1, part: { x: 1 } }), ['f:n', 'f:part f:x']);
  assert.deepEqual(found({ labels: { a: { x: 1 } } }), ['f:labels f:a', 'f:labels f:a f:x']);
  assert.deepEqual(found({ set: ['a', 'b'] }), ['f:set v:"a"', 'f:set v:"b"']);
  assert.deepEqual(found({ ports: [{ id: 'a' }] }), ['f:ports k:{"id":"a"}', 'f:ports k:{"id":"a"} f:id']);
});

test('an atomic value is one field', () => {
  assert.deepEqual(found({ whole: { x: 1 }, list: [1, 2] }), ['f:list', 'f:whole']);
});

test('an empty struct or map, and null, is something said; an empty list is not', () => {
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
  assert.deepEqual(without({ n: 1, ports }, fieldsIn(shape, { ports })), { n: 1, ports: null });
});

test('what loses all that it held is null, and what held nothing stays', () => {
  const value = { n: 1, part: { x: 1 }, set: ['a'], labels: {} };
  const fields = fieldsAt(['part.x', 'labels.a']).union(only(['f:set', 'v:"a"']));
  assert.deepEqual(without(value, fields), { n: 1, part: null, set: null, labels: {} });
});

test('nothing is removed from an atomic value', () => {
  const value = { whole: { x: 1 }, list: [1] };
  const fields = fieldsAt(['whole.x']).union(only(['f:list', 'i:0']));
  assert.deepEqual(without(value, fields), value);
  assert.equal(without(value, fieldsAt(['whole', 'list'])), null);
});
