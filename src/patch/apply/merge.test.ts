// Tests of merging an applied configuration.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inEverySchema } from '../../apis/apply-laws.fixture.ts';
import type { JsonObject, JsonValue } from '../../codec/json/json-value.ts';
import { elementName } from './elements.ts';
import { mergeIntent } from './merge.ts';
import { type LawSubjects, testPairs, typeOf } from './random-shape.fixture.ts';
import { type ListShape, type MergeSchema, shapeOf } from './shape.ts';
import { leavesOf, plain } from './tracked.fixture.ts';

const merge = (shape: MergeSchema, live: JsonValue, intent: JsonValue) =>
  plain(mergeIntent(shape, live, intent));

const names = (shape: ListShape, items: readonly JsonValue[]) =>
  items.map((item, index) => elementName(shape, item, index, 'json'));

/** Calls back for every associative list that both states and the result have. */
function sharedLists(
  shape: MergeSchema,
  states: readonly JsonValue[],
  look: (shape: ListShape, lists: JsonValue[][]) => void,
): void {
  if (shape.form === 'scalar' || shape.atomic) return;
  if (shape.form === 'list') {
    const lists = states as JsonValue[][];
    look(shape, lists);
    for (const name of names(shape, lists[0]!)) {
      const same = lists.map((items) => items[names(shape, items).indexOf(name)]);
      if (!same.includes(undefined)) sharedLists(shape.element, same as JsonValue[], look);
    }
    return;
  }
  for (const key of Object.keys(states[0]!)) {
    const members = states.map((state) => (state as JsonObject)[key]);
    const inner = shape.form === 'struct' ? shape.byName.get(key)!.shape : shape.element;
    if (!members.includes(undefined)) sharedLists(inner, members as JsonValue[], look);
  }
}

function laws(subjects: LawSubjects, numRuns: number): void {
  const law = (name: string, holds: (shape: MergeSchema, live: JsonObject, intent: JsonObject) => void) =>
    testPairs(name, subjects, numRuns, holds);

  law('all that either says is there, and where both do, what the intent says', (shape, live, intent) => {
    const expected = new Map([...leavesOf(shape, live), ...leavesOf(shape, intent)]);
    const merged = leavesOf(shape, mergeIntent(shape, live, intent));
    assert.deepEqual([...merged].sort(), [...expected].sort());
  });

  law('elements come in the order of the intent, the others in their own', (shape, live, intent) => {
    const merged = mergeIntent(shape, live, intent);
    sharedLists(shape, [live, intent, merged], (list, states) => {
      const [old, said, now] = states.map((items) => names(list, items)) as [string[], string[], string[]];
      assert.deepEqual(
        now.filter((name) => said.includes(name)),
        said,
      );
      const isOther = (name: string) => !said.includes(name);
      assert.deepEqual(now.filter(isOther), old.filter(isOther));
      assert.equal(now.length, new Set(now).size);
    });
  });

  law('an intent laid over what came of it changes nothing', (shape, live, intent) => {
    const merged = mergeIntent(shape, live, intent);
    assert.deepEqual(mergeIntent(shape, merged, intent), merged);
  });

  law('neither what is there nor the intent is changed', (shape, live, intent) => {
    const before = plain([live, intent]);
    mergeIntent(shape, live, intent);
    assert.deepEqual(plain([live, intent]), before);
  });
}

inEverySchema(laws);

test('elements are in the reference’s order', () => {
  const set = shapeOf(typeOf({ set: 'string' }));
  const cases: [live: string, intent: string, merged: string][] = [
    ['abc', 'cba', 'cba'],
    ['xaybz', 'ab', 'xaybz'],
    ['ab', 'xayb', 'xayb'],
    ['xab', 'ba', 'xba'],
    ['ab', 'cd', 'abcd'],
    ['abcd', 'dxb', 'acdxb'],
    ['abc', 'xcya', 'bxcya'],
    ['ab', 'ca', 'cab'],
    ['ab', 'bc', 'abc'],
    ['', 'ba', 'ba'],
  ];
  for (const [live, intent, merged] of cases) {
    assert.equal(
      (mergeIntent(set, [...live], [...intent]) as string[]).join(''),
      merged,
      `${live} ${intent}`,
    );
  }
});

test('an empty list or map in an intent takes nothing away', () => {
  const shape = shapeOf(typeOf({ struct: { set: { set: 'string' }, labels: { map: 'string' } } }));
  const live = { set: ['a'], labels: { k: 'x' } };
  assert.deepEqual(merge(shape, live, { set: [], labels: {} }), live);
  assert.deepEqual(merge(shape, live, { set: null, labels: null }), live);
  assert.deepEqual(merge(shape, {}, { set: [], labels: {} }), { set: [], labels: {} });
});

test('atomic values are replaced as a whole, also by empty ones', () => {
  const plan = { struct: { list: { list: 'int' }, whole: { map: 'int', atomic: true }, n: 'int' } } as const;
  const shape = shapeOf(typeOf(plan));
  const live = { list: [1, 2], whole: { a: 1 }, n: 1 };
  assert.deepEqual(merge(shape, live, { list: [3], whole: { b: 2 } }), {
    list: [3],
    whole: { b: 2 },
    n: 1,
  });
  assert.deepEqual(merge(shape, live, { list: [], whole: {}, n: null }), {
    list: [],
    whole: {},
    n: null,
  });
});

test('one applied element replaces all duplicates', () => {
  const shape = shapeOf(typeOf({ keyed: { n: 'int' }, bySide: false }));
  const live = [
    { id: 'x', n: 1 },
    { id: 'y', n: 1 },
    { id: 'x', n: 2 },
  ];
  assert.deepEqual(merge(shape, live, [{ id: 'x' }]), [{ id: 'x' }, { id: 'y', n: 1 }]);
  assert.deepEqual(merge(shape, live, [{ id: 'y' }]), live);
});

test('keys that objects inherit in JavaScript are ordinary ones', () => {
  const shape = shapeOf(typeOf({ map: 'string' }));
  const live = JSON.parse('{"__proto__": "a", "constructor": "b"}');
  const merged = mergeIntent(shape, live, JSON.parse('{"__proto__": "c", "toString": "d"}'));
  assert.deepEqual(Object.entries(merged!), [
    ['__proto__', 'c'],
    ['constructor', 'b'],
    ['toString', 'd'],
  ]);
});
