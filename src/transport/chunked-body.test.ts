// The buffer pool of chunked bodies reuses and frees buffers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovableClock } from '../base/clock.ts';
import { BufferPool } from './chunked-body.ts';

test('buffers are reused, and unused ones are released after a while', async () => {
  const clock = new MovableClock();
  const buffers = new BufferPool(clock);
  const rest = async () => {
    clock.advance(6_000);
    await Promise.resolve();
  };
  const [first, second] = [buffers.acquire(), buffers.acquire()];
  buffers.release(first);
  buffers.release(second);
  assert.equal(buffers.freeCount, 2);
  // One of the two is needed every time.
  for (let i = 0; i < 3; i++) {
    const buffer = buffers.acquire();
    assert.ok([first, second].includes(buffer));
    buffers.release(buffer);
    await rest();
  }
  assert.equal(buffers.freeCount, 1);
  for (let i = 0; i < 2; i++) await rest();
  assert.equal(buffers.freeCount, 0);
});

test('the number of pooled buffers is limited', () => {
  const buffers = new BufferPool(new MovableClock());
  const taken = Array.from({ length: 100 }, () => buffers.acquire());
  for (const buffer of taken) buffers.release(buffer);
  assert.equal(buffers.freeCount, 64);
});
