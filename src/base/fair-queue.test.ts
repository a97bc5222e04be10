// Tests of the fair queue.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairQueue } from './fair-queue.ts';

function drain(queue: FairQueue<string>): string[] {
  const taken: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
  return taken;
}

test('flows take turns, and the items of a flow stay in order', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2']) queue.add(item[0]!, item);
  assert.deepEqual(drain(queue), ['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'a4']);
});

test('an item of a new flow waits for one item of each other flow', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'a3']) queue.add('a', item);
  assert.equal(queue.take(), 'a1');
  queue.add('b', 'b1');
  assert.deepEqual(drain(queue), ['a2', 'b1', 'a3']);
});

test('a removed item is not taken, and is not counted', () => {
  const queue = new FairQueue<string>();
  queue.add('a', 'a1');
  queue.add('a', 'a2');
  queue.remove('a', 'a1');
  queue.remove('a', 'unknown');
  queue.remove('b', 'b1');
  assert.equal(queue.countOf('a'), 1);
  assert.equal(queue.countOf('b'), 0);
  assert.deepEqual(drain(queue), ['a2']);
  assert.equal(queue.countOf('a'), 0);
});
