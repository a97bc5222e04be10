// Tests of shuffle sharding.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dealHand } from './shuffle-sharding.ts';

test('dealHand deals distinct queues, and a flow always the same ones', () => {
  for (const [queues, handSize] of [
    [128, 6],
    [64, 8],
    [16, 4],
    [4, 4],
    [1, 1],
  ] as const) {
    const hand = dealHand('schema', 'alice', queues, handSize);
    assert.equal(new Set(hand).size, handSize);
    assert.ok(hand.every((queue) => queue >= 0 && queue < queues));
    assert.deepEqual(hand, dealHand('schema', 'alice', queues, handSize));
  }
});

test('dealHand deals every queue with about the same frequency', () => {
  const times = new Array<number>(16).fill(0);
  for (let n = 0; n < 2000; n++) for (const queue of dealHand('schema', `user-${n}`, 16, 4)) times[queue]!++;
  assert.ok(Math.min(...times) > 350 && Math.max(...times) < 650, times.join(' '));
});

test('dealHand rarely deals a flow only queues of another flow', () => {
  const elephant = new Set(dealHand('schema', 'elephant', 128, 6));
  let squashed = 0;
  for (let n = 0; n < 5000; n++) {
    if (dealHand('schema', `mouse-${n}`, 128, 6).every((queue) => elephant.has(queue))) squashed++;
  }
  assert.equal(squashed, 0);
});
