// Tests of the event recorder: bounds of its queue and its caches.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { usedHeapBytes } from '../../base/used-heap.fixture.ts';
import type { Client } from '../../client/client.ts';
import type { Logger } from '../../telemetry/log.ts';
import { EventRecorder } from './event-recorder.ts';

const logger = { verbose: () => {}, warn: () => {} } as unknown as Logger;

/** A client whose writes wait for `open`. */
function blockedClient() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let created = 0;
  const create = async () => {
    await opened;
    created++;
  };
  return { client: { create } as unknown as Client, open, created: () => created };
}

const event = (name: string, message: string) => ({
  involvedObject: { apiVersion: 'batch/v1', kind: 'CronJob', namespace: 'n', name, uid: name },
  type: 'Warning' as const,
  reason: 'UnparseableSchedule',
  message,
  component: 'cronjob-controller',
});

test('at most 1000 events wait to be written; others are dropped', async () => {
  const { client, open, created } = blockedClient();
  const recorder = new EventRecorder(client, systemClock, logger);
  for (let i = 0; i < 3000; i++) recorder.record(event(`cron-${i}`, 'no'));
  open();
  await recorder.close();
  assert.equal(created(), 1000);
  recorder.record(event('later', 'no'));
  await recorder.close();
  assert.equal(created(), 1001);
});

test('queue and caches are bounded in bytes', async () => {
  const { client, open } = blockedClient();
  const recorder = new EventRecorder(client, systemClock, logger);
  const before = usedHeapBytes();
  for (let i = 0; i < 300; i++) {
    recorder.record(event(`cron-${i}`, Buffer.from(`${i}`.padEnd(200_000, 'x')).toString()));
  }
  assert.ok(usedHeapBytes() - before < 20_000_000);
  open();
  await recorder.close();
});
