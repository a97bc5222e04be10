import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CompletionIndexes, firstCommonIndex, parseIndexes } from './completion-indexes.ts';

test('indexes are intervals in increasing order', () => {
  assert.deepEqual(parseIndexes('0,3-5,7', 8), {
    intervals: [
      [0, 0],
      [3, 5],
      [7, 7],
    ],
    count: 5,
  });
  assert.deepEqual(parseIndexes('', 1), { intervals: [], count: 0 });
});

for (const [text, problem] of [
  ['x', 'cannot convert string to integer for index: "x"'],
  ['-1', 'cannot convert string to integer for index: ""'],
  ['1-', 'cannot convert string to integer for index: ""'],
  ['9', 'too large index: "9"'],
  ['1-9', 'too large index: "9"'],
  ['2,1', 'non-increasing order, previous: 2, current: 1'],
  ['0-2,2', 'non-increasing order, previous: 2, current: 2'],
  ['2-2', 'non-increasing order, previous: 2, current: 2'],
  [
    '1-2-3',
    `the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by '-'`,
  ],
] as const) {
  test(`indexes ${JSON.stringify(text)} are refused with the reason`, () => {
    assert.deepEqual(parseIndexes(text, 5), { problem });
  });
}

test('the first index in both is found', () => {
  const indexes = (text: string) => parseIndexes(text, 100) as CompletionIndexes;
  assert.equal(firstCommonIndex(indexes('0-2,9'), indexes('3,5,9-12')), 9);
  assert.equal(firstCommonIndex(indexes('0-9'), indexes('4')), 4);
  assert.equal(firstCommonIndex(indexes('0-2'), indexes('3-5')), undefined);
  assert.equal(firstCommonIndex(indexes(''), indexes('3-5')), undefined);
});
