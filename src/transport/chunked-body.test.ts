// The buffer pool of chunked bodies reuses and frees buffers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovableClock } from '../base/clock.ts';
import { BodyBuffers } from './chunked-body.ts';

test('buffers are used again, and those that nobody needs are given up in time', async () => {
  const clock = new MovableClock();
  const buffers = new BodyBuffers(clock);
  const rest = async () => {
    clock.advance(6_000);
    await Promise.resolve();
  };
  const [first, second] = [buffers.take(), buffers.take()];
  buffers.give(first);
  buffers.give(second);
  assert.equal(buffers.spares, 2);
  // One of the two is needed every time.
  for (let i = 0; i < 3; i++) {
    const buffer = buffers.take();
    assert.ok([first, second].includes(buffer));
    buffers.give(buffer);
    await rest();
  }
  assert.equal(buffers.spares, 1);
  for (let i = 0; i < 2; i++) await rest();
  assert.equal(buffers.spares, 0);
});

test('of very many buffers some are kept', () => {
  const buffers = new BodyBuffers(new MovableClock());
  const taken = Array.from({ length: 100 }, () => buffers.take());
  for (const buffer of taken) buffers.give(buffer);
  assert.equal(buffers.spares, 64);
});
