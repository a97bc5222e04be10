import { setTimeout as sleep } from 'node:timers/promises';
import { type Usage, watchUsage } from '../machine/usage.ts';
import { configMap, configMapsOf, nameOf, tickOf, watchNamespace } from '../objects.ts';
import type { Side } from '../sides/side.ts';
import { ApiClient } from './api-client.ts';
import { type Delays, Watchers } from './watchers.ts';

/**
 * How many events are on their way at once in the run for throughput: the next write of a lane waits
 * until every watcher has had the one before it. Without such a bound the faster writer would only fill
 * queues, and servers drop watchers whose queues are full: kube-apiserver ends watches at 16, not at 8.
 */
export const lanes = 8;

/** Writes per second in the run for delay: few enough that either server keeps up. */
export const pacedWritesPerSecond = 10;

export interface FanOutResult extends Delays, Usage {
  readonly eventsPerSecond: number;
}

/** Opens `count` watches on one namespace and writes to it: as fast as they can take it, then at a steady pace. */
export async function runFanOut(
  side: Side,
  count: number,
  seconds: number,
): Promise<{ full: FanOutResult; steady: FanOutResult }> {
  const client = new ApiClient(side, lanes);
  const collection = configMapsOf(watchNamespace);
  const list = await client.expect([200], 'GET', `${collection}?limit=1`);
  const { metadata } = JSON.parse(list.body) as { metadata: { resourceVersion: string } };
  const query = `watch=1&resourceVersion=${metadata.resourceVersion}&timeoutSeconds=3600`;
  const watchers = await Watchers.open(side, `${collection}?${query}`, count);

  let sequence = 0;
  const writeOnce = async (index: number): Promise<void> => {
    const mine = sequence++;
    const complete = watchers.complete(mine);
    const body = configMap(index, tickOf(Number(process.hrtime.bigint() / 1000n), mine));
    await Promise.all([client.expect([200], 'PUT', `${collection}/${nameOf(index)}`, body), complete]);
  };
  const everyLane = async (write: (index: number) => Promise<void>): Promise<void> => {
    await Promise.all(Array.from({ length: lanes }, (_, index) => write(index)));
  };

  const measured = async (write: (from: number) => Promise<void>): Promise<FanOutResult> => {
    await watchers.delays();
    const usage = watchUsage(side, () => watchers.cpuSeconds());
    const from = performance.now();
    await write(from);
    const elapsed = (performance.now() - from) / 1000;
    const used = usage();
    const delays = await watchers.delays();
    return { ...delays, ...used, eventsPerSecond: delays.delivered / elapsed };
  };

  try {
    // Connections are open before anything counts.
    await everyLane(writeOnce);
    const full = await measured((from) =>
      everyLane(async (index) => {
        while (performance.now() < from + seconds * 1000) await writeOnce(index);
      }),
    );
    const steady = await measured(async (from) => {
      const writes: Promise<void>[] = [];
      for (let i = 0; i < seconds * pacedWritesPerSecond; i++) {
        await sleep(Math.max(0, from + (i * 1000) / pacedWritesPerSecond - performance.now()));
        writes.push(writeOnce(i % lanes));
      }
      await Promise.all(writes);
    });
    return { full, steady };
  } finally {
    await watchers.close();
    client.close();
  }
}
