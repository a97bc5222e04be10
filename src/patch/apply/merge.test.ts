// Tests of merging an applied configuration.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inEverySchema } from '../../apis/apply-laws.fixture.ts';
import type { JsonObject, JsonValue } from '../../codec/json/json-value.ts';
import { pathElementOf } from './list-elements.ts';
import { mergeConfiguration } from './merge.ts';
import { type ListMergeSchema, type MergeSchema, mergeSchemaOf } from './merge-schema.ts';
import { type LawSubjects, testPairs, typeOf } from './random-schema.fixture.ts';
import { leavesOf, plain } from './tracked.fixture.ts';

const merge = (schema: MergeSchema, live: JsonValue, configuration: JsonValue) =>
  plain(mergeConfiguration(schema, live, configuration));

const names = (schema: ListMergeSchema, items: readonly JsonValue[]) =>
  items.map((item, index) => pathElementOf(schema, item, index, 'json'));

/** Calls back for every associative list that both states and the result have. */
function sharedLists(
  schema: MergeSchema,
  states: readonly JsonValue[],
  look: (schema: ListMergeSchema, lists: JsonValue[][]) => void,
): void {
  if (schema.form === 'scalar' || schema.atomic) return;
  if (schema.form === 'list') {
    const lists = states as JsonValue[][];
    look(schema, lists);
    for (const name of names(schema, lists[0]!)) {
      const same = lists.map((items) => items[names(schema, items).indexOf(name)]);
      if (!same.includes(undefined)) sharedLists(schema.element, same as JsonValue[], look);
    }
    return;
  }
  for (const key of Object.keys(states[0]!)) {
    const members = states.map((state) => (state as JsonObject)[key]);
    const inner = schema.form === 'struct' ? schema.byName.get(key)!.schema : schema.element;
    if (!members.includes(undefined)) sharedLists(inner, members as JsonValue[], look);
  }
}

function laws(subjects: LawSubjects, numRuns: number): void {
  const law = (
    name: string,
    holds: (schema: MergeSchema, live: JsonObject, configuration: JsonObject) => void,
  ) => testPairs(name, subjects, numRuns, holds);

  law(
    'all that either says is there, and where both do, what the intent says',
    (schema, live, configuration) => {
      const expected = new Map([...leavesOf(schema, live), ...leavesOf(schema, configuration)]);
      const merged = leavesOf(schema, mergeConfiguration(schema, live, configuration));
      assert.deepEqual([...merged].sort(), [...expected].sort());
    },
  );

  law('elements come in the order of the intent, the others in their own', (schema, live, configuration) => {
    const merged = mergeConfiguration(schema, live, configuration);
    sharedLists(schema, [live, configuration, merged], (list, states) => {
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

  law('an intent laid over what came of it changes nothing', (schema, live, configuration) => {
    const merged = mergeConfiguration(schema, live, configuration);
    assert.deepEqual(mergeConfiguration(schema, merged, configuration), merged);
  });

  law('neither what is there nor the intent is changed', (schema, live, configuration) => {
    const before = plain([live, configuration]);
    mergeConfiguration(schema, live, configuration);
    assert.deepEqual(plain([live, configuration]), before);
  });
}

inEverySchema(laws);

test('merged list items are in the reference’s order', () => {
  const set = mergeSchemaOf(typeOf({ set: 'string' }));
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
  for (const [live, configuration, merged] of cases) {
    assert.equal(
      (mergeConfiguration(set, [...live], [...configuration]) as string[]).join(''),
      merged,
      `${live} ${configuration}`,
    );
  }
});

test('an empty list or map in an applied configuration removes nothing', () => {
  const schema = mergeSchemaOf(typeOf({ struct: { set: { set: 'string' }, labels: { map: 'string' } } }));
  const live = { set: ['a'], labels: { k: 'x' } };
  assert.deepEqual(merge(schema, live, { set: [], labels: {} }), live);
  assert.deepEqual(merge(schema, live, { set: null, labels: null }), live);
  assert.deepEqual(merge(schema, {}, { set: [], labels: {} }), { set: [], labels: {} });
});

test('atomic values are replaced as a whole, also by empty ones', () => {
  const plan = { struct: { list: { list: 'int' }, whole: { map: 'int', atomic: true }, n: 'int' } } as const;
  const schema = mergeSchemaOf(typeOf(plan));
  const live = { list: [1, 2], whole: { a: 1 }, n: 1 };
  assert.deepEqual(merge(schema, live, { list: [3], whole: { b: 2 } }), {
    list: [3],
    whole: { b: 2 },
    n: 1,
  });
  assert.deepEqual(merge(schema, live, { list: [], whole: {}, n: null }), {
    list: [],
    whole: {},
    n: null,
  });
});

test('one applied element replaces all duplicates', () => {
  const schema = mergeSchemaOf(typeOf({ keyed: { n: 'int' }, bySide: false }));
  const live = [
    { id: 'x', n: 1 },
    { id: 'y', n: 1 },
    { id: 'x', n: 2 },
  ];
  assert.deepEqual(merge(schema, live, [{ id: 'x' }]), [{ id: 'x' }, { id: 'y', n: 1 }]);
  assert.deepEqual(merge(schema, live, [{ id: 'y' }]), live);
});

test('keys such as constructor and __proto__ are ordinary keys', () => {
  const schema = mergeSchemaOf(typeOf({ map: 'string' }));
  const live = JSON.parse('{"__proto__": "a", "constructor": "b"}');
  const merged = mergeConfiguration(schema, live, JSON.parse('{"__proto__": "c", "toString": "d"}'));
  assert.deepEqual(Object.entries(merged!), [
    ['__proto__', 'c'],
    ['constructor', 'b'],
    ['toString', 'd'],
  ]);
});
