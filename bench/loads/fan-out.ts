// Benchmark of watches: throughput and delay of events to many watchers.
import { setTimeout as sleep } from 'node:timers/promises';
import { measureUsage, type Usage } from '../machine/usage.ts';
import { configMap, configMapsOf, nameOf, tickOf, watchNamespace } from '../objects.ts';
import type { Side } from '../sides/side.ts';
import { ApiClient } from './api-client.ts';
import { type WatchDelays, Watchers } from './watchers.ts';

/**
 * Concurrent updates in the throughput run: each waits until every watcher has received the previous event of its object.
 * Without this limit the writer would fill the queues of the watchers, and servers close watches with full queues:
 * kube-apiserver closes watches at 16 concurrent updates, not at 8.
 */
export const concurrentUpdates = 8;

/** Writes per second in the delay run: few enough for both servers. */
export const pacedWritesPerSecond = 10;

export interface FanOutResult extends WatchDelays, Usage {
  readonly eventsPerSecond: number;
}

/** Opens `count` watches on one namespace and updates its objects: first at full speed, then at a steady rate. */
export async function runFanOut(
  side: Side,
  count: number,
  seconds: number,
): Promise<{ full: FanOutResult; steady: FanOutResult }> {
  const client = new ApiClient(side, concurrentUpdates);
  const collection = configMapsOf(watchNamespace);
  const list = await client.expect([200], 'GET', `${collection}?limit=1`);
  const { metadata } = JSON.parse(list.body) as { metadata: { resourceVersion: string } };
  const query = `watch=1&resourceVersion=${metadata.resourceVersion}&timeoutSeconds=3600`;
  const watchers = await Watchers.open(side, `${collection}?${query}`, count);

  let sequence = 0;
  const update = async (index: number): Promise<void> => {
    const ownSequence = sequence++;
    const complete = watchers.complete(ownSequence);
    const body = configMap(index, tickOf(Number(process.hrtime.bigint() / 1000n), ownSequence));
    await Promise.all([client.expect([200], 'PUT', `${collection}/${nameOf(index)}`, body), complete]);
  };
  const updateConcurrently = async (write: (index: number) => Promise<void>): Promise<void> => {
    await Promise.all(Array.from({ length: concurrentUpdates }, (_, index) => write(index)));
  };

  const measured = async (write: (startMs: number) => Promise<void>): Promise<FanOutResult> => {
    await watchers.delays();
    const usage = measureUsage(side, () => watchers.cpuSeconds());
    const startMs = performance.now();
    await write(startMs);
    const elapsed = (performance.now() - startMs) / 1000;
    const cpuUsage = usage();
    const delays = await watchers.delays();
    return { ...delays, ...cpuUsage, eventsPerSecond: delays.delivered / elapsed };
  };

  try {
    // Opens the connections before the measurement.
    await updateConcurrently(update);
    const full = await measured((startMs) =>
      updateConcurrently(async (index) => {
        while (performance.now() < startMs + seconds * 1000) await update(index);
      }),
    );
    const steady = await measured(async (startMs) => {
      const writes: Promise<void>[] = [];
      for (let i = 0; i < seconds * pacedWritesPerSecond; i++) {
        await sleep(Math.max(0, startMs + (i * 1000) / pacedWritesPerSecond - performance.now()));
        writes.push(update(i % concurrentUpdates));
      }
      await Promise.all(writes);
    });
    return { full, steady };
  } finally {
    await watchers.close();
    client.close();
  }
}
