// Tests of the copy-on-write B-tree against a plain map.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OrderedMap } from './ordered-map.ts';

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

test('OrderedMap holds what a plain map holds, in the order of the keys’ bytes, after any changes', () => {
  const key = fc.oneof(
    fc.integer({ min: 0, max: 400 }).map((number) => `a/${number}`),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
  );
  const change = fc.tuple(key, fc.option(fc.nat(), { nil: undefined, freq: 3 }));
  fc.assert(
    fc.property(fc.array(change, { size: 'max', maxLength: 1_500 }), key, (changes, after) => {
      let map = OrderedMap.empty<readonly [string, number]>();
      const model = new Map<string, number>();
      for (const [each, value] of changes) {
        map = value === undefined ? map.without(each) : map.with(each, [each, value]);
        if (value === undefined) model.delete(each);
        else model.set(each, value);
      }
      const sorted = [...model].sort(([a], [b]) => byBytes(a, b));
      assert.equal(map.size, model.size);
      assert.deepEqual([...map.range('')], sorted);
      assert.deepEqual(
        [...map.range('a/', after)],
        sorted.filter(([each]) => each.startsWith('a/') && byBytes(each, after) > 0),
      );
      for (const [each, value] of model) assert.deepEqual(map.get(each), [each, value]);
    }),
    { numRuns: 50 },
  );
});

test('OrderedMap does not modify the map it was derived from', () => {
  let map = OrderedMap.empty<number>();
  const states = Array.from({ length: 300 }, (_, i) => {
    map = i % 4 === 3 ? map.without(`${i - 2}`) : map.with(`${i}`, i);
    return { map, contents: [...map.range('')] };
  });
  for (const state of states) assert.deepEqual([...state.map.range('')], state.contents);
});
