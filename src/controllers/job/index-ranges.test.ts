import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { IndexRanges } from './index-ranges.ts';

const text = (...indexes: number[]) => String(IndexRanges.of(indexes));

test('three or more indexes in a row are a range, two are not', () => {
  assert.equal(text(), '');
  assert.equal(text(3), '3');
  assert.equal(text(4, 3), '3,4');
  assert.equal(text(7, 0, 3, 5, 4, 4), '0,3-5,7');
});

test('invalid parts and indexes beyond completions are ignored', () => {
  assert.equal(String(IndexRanges.parse('1,x,3-9,-2,5-4', 6)), '1,3-5');
  assert.equal(String(IndexRanges.parse('1,6-8', 6)), '1');
  assert.equal(IndexRanges.parse('', 6).count, 0);
});

const indexSets = fc.array(fc.nat(30));

test('ranges are sets of indexes', () => {
  fc.assert(
    fc.property(indexSets, indexSets, fc.nat(35), (first, second, completions) => {
      const a = IndexRanges.of(first);
      const b = IndexRanges.of(second);
      const union = new Set([...first, ...second]);
      const all = Array.from({ length: 40 }, (_, index) => index);
      assert.equal(String(IndexRanges.parse(String(a), 100)), String(a));
      assert.deepEqual(
        all.filter((index) => a.union(b).has(index)),
        all.filter((index) => union.has(index)),
      );
      assert.equal(a.union(b).count, union.size);
      assert.equal(a.countCommon(b), [...new Set(first)].filter((index) => second.includes(index)).length);
      assert.deepEqual(
        a.firstAbsent(5, completions),
        all.filter((index) => index < completions && !first.includes(index)).slice(0, 5),
      );
    }),
  );
});
