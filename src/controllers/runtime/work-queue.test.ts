// Tests of the work queue.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovableClock } from '../../base/clock.ts';
import { silentLogger } from '../../telemetry/log.ts';
import { createServerMetrics } from '../../telemetry/metrics.ts';
import { WorkQueueMetrics } from './queue-metrics.ts';
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts';

function queueOf(options: Omit<WorkQueueOptions, 'name'>, clock = new MovableClock()) {
  const meters = createServerMetrics();
  const metrics = new WorkQueueMetrics(meters);
  const queue = new WorkQueue({ name: 'test', ...options }, { clock, logger: silentLogger, metrics });
  return { queue, clock, meters };
}

test('a key added many times is reconciled once, and once more if added during reconciliation', async () => {
  const done: string[] = [];
  const { queue } = queueOf({
    async reconcile(key) {
      done.push(key);
      if (done.length === 1) {
        queue.add('a');
        queue.add('a');
      }
    },
  });
  for (const key of ['a', 'b', 'a', 'a']) queue.add(key);
  await queue.idle();
  assert.deepEqual(done, ['a', 'b', 'a']);
});

test('a failed key is retried with exponential backoff, and counted', async () => {
  let tries = 0;
  const { queue, clock, meters } = queueOf({
    async reconcile() {
      tries += 1;
      if (tries < 4) throw new Error('not yet');
    },
  });
  queue.add('a');
  await queue.idle();
  assert.equal(tries, 1);
  for (const rest of [20, 40, 80]) {
    clock.advance(rest);
    await queue.idle();
  }
  assert.equal(tries, 4);
  clock.advance(3_600_000);
  await queue.idle();
  assert.equal(tries, 4);
  assert.match(meters.render(), /workqueue_retries_total\{name="test"\} 3/);
});

test('of several delays for a key the earliest wins', async () => {
  const done: string[] = [];
  const { queue, clock } = queueOf({ reconcile: async (key) => void done.push(key) });
  queue.addAfter('a', 5_000);
  queue.addAfter('a', 1_000);
  queue.addAfter('a', 9_000);
  clock.advance(1_000);
  await queue.idle();
  assert.deepEqual(done, ['a']);
  clock.advance(60_000);
  await queue.idle();
  assert.deepEqual(done, ['a']);
});

test('at most `workers` keys are reconciled concurrently, and no key twice', async () => {
  let [most, now] = [0, 0];
  const { queue } = queueOf({
    workers: 3,
    async reconcile() {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 2));
      now -= 1;
    },
  });
  for (let i = 0; i < 20; i++) queue.add(`key ${i}`);
  await queue.idle();
  assert.equal(most, 3);
});

test('a closed queue accepts no keys and waits for running reconciliations', async () => {
  const done: string[] = [];
  const { queue, clock } = queueOf({
    async reconcile(key) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      done.push(key);
    },
    isUrgent: true,
  });
  queue.add('a');
  queue.addAfter('b', 10);
  await Promise.resolve().then(() => Promise.resolve());
  await new Promise((resolve) => setImmediate(resolve));
  queue.add('c');
  await queue.close();
  queue.add('d');
  clock.advance(100);
  assert.deepEqual(done, ['a']);
});
