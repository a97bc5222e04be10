// Tests of field sets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { usedHeapBytes } from '../../base/used-heap.fixture.ts';
import { isObject, JsonText } from '../../codec/json/json-value.ts';
import { parseJson } from '../../codec/json/parse.ts';
import {
  comparePathElements,
  decodeFieldsV1,
  emptyFieldSet,
  type FieldSet,
  fieldSetOfDottedPaths,
  fieldSetOfPath,
  leafFieldSet,
} from './field-set.ts';

/** Random sets, and their model: a set of path texts. */
const elements = fc.constantFrom('f:a', 'f:b', 'f:name', 'k:{"name":"x"}', 'v:"x"', 'i:0');
const paths = fc.array(fc.array(elements, { minLength: 1, maxLength: 4 }), { maxLength: 8 });
const sets = paths.map((list) => list.reduce((set, path) => set.union(fieldSetOfPath(path)), emptyFieldSet));

const texts = (set: FieldSet) => [...set.paths()].map((path) => path.join(' ')).sort();
const model = (set: FieldSet) => new Set(texts(set));

/** Whether every leaf is a member. */
function isTidy(set: FieldSet): boolean {
  return [...set.below.values()].every((below) => !below.isEmpty && isTidy(below));
}

/** Checks an operation against plain sets of paths, and that it does not modify its operands. */
function agree(
  operation: (left: FieldSet, right: FieldSet) => FieldSet,
  expected: (left: ReadonlySet<string>, right: ReadonlySet<string>) => Iterable<string>,
): void {
  fc.assert(
    fc.property(sets, sets, (left, right) => {
      const before = [texts(left), texts(right)];
      const result = operation(left, right);
      assert.deepEqual(texts(result), [...expected(model(left), model(right))].sort());
      assert.deepEqual([texts(left), texts(right)], before);
      assert.ok(isTidy(result));
    }),
    { numRuns: 500 },
  );
}

test('a union has the paths of both sets', () => {
  agree(
    (left, right) => left.union(right),
    (left, right) => new Set([...left, ...right]),
  );
});

test('a difference has the paths that are only in the first set', () => {
  agree(
    (left, right) => left.difference(right),
    (left, right) => [...left].filter((path) => !right.has(path)),
  );
});

test('an intersection has the paths in both sets', () => {
  agree(
    (left, right) => left.intersection(right),
    (left, right) => [...left].filter((path) => right.has(path)),
  );
});

test('a recursive difference removes everything below a path', () => {
  const isBelow = (path: string, right: string) => path === right || path.startsWith(`${right} `);
  agree(
    (left, right) => left.differenceBelow(right),
    (left, right) => [...left].filter((path) => ![...right].some((outer) => isBelow(path, outer))),
  );
});

test('sets are equal when they have the same paths', () => {
  fc.assert(
    fc.property(sets, sets, (left, right) => {
      assert.equal(left.equals(right), texts(left).join('\n') === texts(right).join('\n'));
      assert.ok(left.equals(left.union(left)) && left.union(right).equals(right.union(left)));
    }),
  );
});

test('an operation without changes returns the same set', () => {
  fc.assert(
    fc.property(sets, sets, (left, right) => {
      const both = left.union(right);
      assert.equal(both.union(left), both);
      assert.equal(both.union(right), both);
      const rest = left.difference(right);
      assert.equal(rest.difference(right), rest);
      const alone = left.differenceBelow(right);
      assert.equal(alone.differenceBelow(right), alone);
      const shared = left.intersection(right);
      assert.equal(shared.intersection(left), shared);
      for (const [element, below] of rest.below) {
        if (!right.below.has(element)) assert.equal(below, left.below.get(element));
      }
    }),
  );
});

test('the union of difference and intersection is the original set', () => {
  fc.assert(
    fc.property(sets, sets, (left, right) => {
      assert.ok(left.difference(right).union(left.intersection(right)).equals(left));
      assert.ok(left.difference(right).intersection(right).isEmpty);
    }),
  );
});

test('the empty set is neutral', () => {
  assert.ok(emptyFieldSet.isEmpty);
  assert.ok(!leafFieldSet.isEmpty);
  fc.assert(
    fc.property(sets, (set) => {
      assert.equal(set.union(emptyFieldSet), set);
      assert.equal(emptyFieldSet.union(set), set.isEmpty ? emptyFieldSet : set);
      assert.equal(set.difference(emptyFieldSet), set);
      assert.equal(set.differenceBelow(emptyFieldSet), set);
      assert.ok(set.intersection(emptyFieldSet).isEmpty);
      assert.ok(set.difference(set).isEmpty);
    }),
  );
});

test('a path is distinct from the paths below it', () => {
  const labels = fieldSetOfDottedPaths(['metadata.labels']);
  const label = fieldSetOfPath(['f:metadata', 'f:labels', 'f:app']);
  assert.ok(labels.intersection(label).isEmpty);
  assert.ok(label.difference(labels).equals(label));
  assert.ok(label.differenceBelow(labels).isEmpty);
  assert.deepEqual(texts(labels.union(label)), ['f:metadata f:labels', 'f:metadata f:labels f:app']);
});

test('paths are sorted: fields by name, then items by key, value and numeric index', () => {
  const shuffled = ['i:10', 'v:"b"', 'k:{"name":"b"}', 'i:9', 'f:b', 'v:1', 'f:a', 'k:{"name":"a"}'];
  assert.deepEqual(shuffled.sort(comparePathElements), [
    ...['f:a', 'f:b', 'k:{"name":"a"}', 'k:{"name":"b"}', 'v:"b"', 'v:1', 'i:9', 'i:10'],
  ]);
});

test('properties of Object.prototype are ordinary field names', () => {
  const set = fieldSetOfPath(['f:__proto__', 'f:constructor']);
  assert.deepEqual(texts(set), ['f:__proto__ f:constructor']);
  assert.ok(set.intersection(fieldSetOfPath(['f:toString'])).isEmpty);
});

test('cached sets do not keep the objects that they were read from', () => {
  const before = usedHeapBytes();
  for (let i = 0; i < 60; i++) {
    const json = `{"fieldsV1":{"f:a-field-${i}":{}},"x":"${'x'.repeat(1_000_000)}"}`;
    const { value } = parseJson(Buffer.from(json), { unparsedKey: 'fieldsV1' });
    assert.ok(isObject(value));
    assert.equal(decodeFieldsV1(value.fieldsV1)?.below.size, 1);
  }
  assert.ok(usedHeapBytes() - before < 20_000_000);
});

test('the cache of sets is bounded in bytes, however deep they are', () => {
  let deep = '{}';
  for (let i = 0; i < 400; i++) deep = `{"f:a":${deep}}`;
  const before = usedHeapBytes();
  for (let i = 0; i < 400; i++) {
    const set = decodeFieldsV1(
      new JsonText(`{"f:1":${deep},"f:2":${deep},"f:3":${deep},"f:4":${deep},"f:${i}x":{}}`),
    );
    assert.equal(set?.below.size, 5);
  }
  // A hundred sets of 13 KB take 40 MB; all of them, 160 MB.
  assert.ok(usedHeapBytes() - before < 60_000_000);
});
