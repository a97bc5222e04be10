// Tests of Selection: memoization and combination of predicates.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usedHeapBytes } from '../base/used-heap.fixture.ts';
import { Selection } from './selection.ts';
import { encodePairs } from './stored-object.ts';

test('a selection evaluates a predicate once per distinct string', () => {
  let asked = 0;
  const select = new Selection('app=a', {
    labels: (labels) => {
      asked++;
      return labels.get('app') === 'a';
    },
  });
  const [a, b] = [encodePairs({ app: 'a' }), encodePairs({ app: 'b' })];
  const answers = [a, b, a, b].map((labels) => select.matches(labels, '', 'things/x'));
  assert.deepEqual([answers, asked], [[true, false, true, false], 2]);
});

test('a selection stays correct after its memo overflows', () => {
  const select = new Selection('even', { fields: (fields) => Number(fields.get('n')) % 2 === 0 });
  for (let round = 0; round < 2; round++) {
    for (let n = 0; n < 10_000; n++) {
      assert.equal(select.matchesLabelsAndFields('', encodePairs({ n: `${n}` })), n % 2 === 0);
    }
  }
});

test('the memo of a selection is bounded in bytes', () => {
  const select = new Selection('any', { labels: (labels) => labels.size === 1 });
  const before = usedHeapBytes();
  for (let i = 0; i < 2000; i++) {
    // From bytes, as the store reads it: `padEnd` would share most of the text.
    const labels = Buffer.from(encodePairs({ l: `${i}`.padEnd(100_000, 'x') })).toString();
    assert.equal(select.matchesLabelsAndFields(labels, ''), true);
  }
  assert.ok(usedHeapBytes() - before < 5_000_000);
  // Used once more, so that it has not been collected before.
  assert.equal(select.id, 'any');
});

test('an object matches only if labels, fields and key all match', () => {
  const select = new Selection('all', {
    labels: (labels) => labels.has('l'),
    fields: (fields) => fields.has('f'),
    key: (key) => key.endsWith('/k'),
  });
  const [labels, fields] = [encodePairs({ l: '' }), encodePairs({ f: '' })];
  assert.equal(select.matches(labels, fields, 'things/k'), true);
  assert.equal(select.matches('', fields, 'things/k'), false);
  assert.equal(select.matches(labels, '', 'things/k'), false);
  assert.equal(select.matches(labels, fields, 'things/x'), false);
});
