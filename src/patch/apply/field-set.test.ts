// Tests of field sets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareElements, emptyFieldSet, type FieldSet, fieldsAt, leafFieldSet, only } from './field-set.ts';

/** Random sets, and their model: a set of path texts. */
const elements = fc.constantFrom('f:a', 'f:b', 'f:name', 'k:{"name":"x"}', 'v:"x"', 'i:0');
const paths = fc.array(fc.array(elements, { minLength: 1, maxLength: 4 }), { maxLength: 8 });
const sets = paths.map((list) => list.reduce((set, path) => set.union(only(path)), emptyFieldSet));

const texts = (set: FieldSet) => [...set.paths()].map((path) => path.join(' ')).sort();
const model = (set: FieldSet) => new Set(texts(set));

/** Whether every leaf is a member. */
function isTidy(set: FieldSet): boolean {
  return [...set.below.values()].every((below) => !below.isEmpty && isTidy(below));
}

/** Checks an operation against plain sets of paths, and that it does not modify its operands. */
function agree(
  operation: (one: FieldSet, other: FieldSet) => FieldSet,
  expected: (one: ReadonlySet<string>, other: ReadonlySet<string>) => Iterable<string>,
): void {
  fc.assert(
    fc.property(sets, sets, (one, other) => {
      const before = [texts(one), texts(other)];
      const result = operation(one, other);
      assert.deepEqual(texts(result), [...expected(model(one), model(other))].sort());
      assert.deepEqual([texts(one), texts(other)], before);
      assert.ok(isTidy(result));
    }),
    { numRuns: 500 },
  );
}

test('a union has what is in either', () => {
  agree(
    (one, other) => one.union(other),
    (one, other) => new Set([...one, ...other]),
  );
});

test('a difference has what is here and not there', () => {
  agree(
    (one, other) => one.difference(other),
    (one, other) => [...one].filter((path) => !other.has(path)),
  );
});

test('an intersection has what is in both', () => {
  agree(
    (one, other) => one.intersection(other),
    (one, other) => [...one].filter((path) => other.has(path)),
  );
});

test('what lies below something goes with it', () => {
  const isBelow = (path: string, other: string) => path === other || path.startsWith(`${other} `);
  agree(
    (one, other) => one.differenceBelow(other),
    (one, other) => [...one].filter((path) => ![...other].some((outer) => isBelow(path, outer))),
  );
});

test('sets are equal when they have the same paths', () => {
  fc.assert(
    fc.property(sets, sets, (one, other) => {
      assert.equal(one.equals(other), texts(one).join('\n') === texts(other).join('\n'));
      assert.ok(one.equals(one.union(one)) && one.union(other).equals(other.union(one)));
    }),
  );
});

test('what an operation changes nothing of stays the same object', () => {
  fc.assert(
    fc.property(sets, sets, (one, other) => {
      const both = one.union(other);
      assert.equal(both.union(one), both);
      assert.equal(both.union(other), both);
      const rest = one.difference(other);
      assert.equal(rest.difference(other), rest);
      const alone = one.differenceBelow(other);
      assert.equal(alone.differenceBelow(other), alone);
      const shared = one.intersection(other);
      assert.equal(shared.intersection(one), shared);
      for (const [element, below] of rest.below) {
        if (!other.below.has(element)) assert.equal(below, one.below.get(element));
      }
    }),
  );
});

test('the sets of a difference and of an intersection make the whole again', () => {
  fc.assert(
    fc.property(sets, sets, (one, other) => {
      assert.ok(one.difference(other).union(one.intersection(other)).equals(one));
      assert.ok(one.difference(other).intersection(other).isEmpty);
    }),
  );
});

test('nothing is empty, and neither adds nor takes', () => {
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

test('a place is not what lies below it', () => {
  const labels = fieldsAt(['metadata.labels']);
  const label = only(['f:metadata', 'f:labels', 'f:app']);
  assert.ok(labels.intersection(label).isEmpty);
  assert.ok(label.difference(labels).equals(label));
  assert.ok(label.differenceBelow(labels).isEmpty);
  assert.deepEqual(texts(labels.union(label)), ['f:metadata f:labels', 'f:metadata f:labels f:app']);
});

test('fields come by name, then elements by key, by value and by position, which is a number', () => {
  const shuffled = ['i:10', 'v:"b"', 'k:{"name":"b"}', 'i:9', 'f:b', 'v:1', 'f:a', 'k:{"name":"a"}'];
  assert.deepEqual(shuffled.sort(compareElements), [
    ...['f:a', 'f:b', 'k:{"name":"a"}', 'k:{"name":"b"}', 'v:"b"', 'v:1', 'i:9', 'i:10'],
  ]);
});

test('names that JavaScript’s objects inherit are ordinary ones', () => {
  const set = only(['f:__proto__', 'f:constructor']);
  assert.deepEqual(texts(set), ['f:__proto__ f:constructor']);
  assert.ok(set.intersection(only(['f:toString'])).isEmpty);
});
