// Tests of the worker thread for expensive patterns: fairness between users, bounds, cancellation.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { ApiError } from '../../errors/status.ts';
import { PatternThread } from './pattern-thread.ts';

let thread: PatternThread;
/** The names of the requests that the thread has answered, in order. */
let answered: string[];
beforeEach(() => {
  thread = new PatternThread();
  answered = [];
});

async function match(user: string, name: string, signal = new AbortController().signal) {
  const { isFound } = await thread.match('^a+$', 'a'.repeat(100_000), { user: { name: user }, signal });
  answered.push(name);
  return isFound;
}

test('users take turns', async () => {
  const alice = ['a1', 'a2', 'a3', 'a4'].map((name) => match('alice', name));
  const bob = ['b1', 'b2'].map((name) => match('bob', name));
  assert.ok((await Promise.all([...alice, ...bob])).every(Boolean));
  assert.deepEqual(answered, ['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
});

test('the waiting requests of a user are bounded, and those of others are not affected', async () => {
  const running = match('alice', 'a');
  const waiting = Array.from({ length: 32 }, () => match('alice', 'a'));
  await assert.rejects(
    match('alice', 'one too many'),
    ({ code, reason }: ApiError) => code === 429 && reason === 'TooManyRequests',
  );
  assert.equal(await match('bob', 'b'), true);
  assert.ok(answered.length < 33, 'bob does not wait for all requests of alice');
  await Promise.all([running, ...waiting]);
});

test('a request whose client has disconnected is not sent, and ends at once', async () => {
  const controller = new AbortController();
  const running = match('alice', 'running');
  const waiting = Array.from({ length: 30 }, () => match('alice', 'dropped', controller.signal));
  const settled = Promise.allSettled(waiting);
  controller.abort(new Error('gone'));
  assert.ok(
    (await settled).every((result) => result.status === 'rejected' && result.reason.message === 'gone'),
  );
  await assert.rejects(match('alice', 'dropped', controller.signal), /gone/);
  assert.ok(await running);
  assert.ok(await match('alice', 'next'));
  assert.deepEqual(answered, ['running', 'next']);
});
