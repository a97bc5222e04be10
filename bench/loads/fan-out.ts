// Benchmark of watches: throughput and delay of events to many watchers, and writes that one of many selectors matches.
import { setTimeout as sleep } from 'node:timers/promises';
import { measureUsage, type Usage } from '../machine/usage.ts';
import {
  configMap,
  configMapsOf,
  nameOf,
  selectedConfigMap,
  selectorNamespace,
  selectWatcher,
  tickOf,
  watchNamespace,
} from '../objects.ts';
import type { Side } from '../sides/side.ts';
import { ApiClient } from './api-client.ts';
import { watcherNumber } from './watcher-messages.ts';
import { type WatchDelays, Watchers } from './watchers.ts';

/**
 * Concurrent updates in the throughput run: each waits until every watcher has received the previous event of its object.
 * Without this limit the writer would fill the queues of the watchers, and servers close watches with full queues:
 * kube-apiserver closes watches at 16 concurrent updates, not at 8.
 */
export const concurrentUpdates = 8;

/** Writes per second in the delay run: few enough for both servers. */
export const pacedWritesPerSecond = 10;

/** Watches of one HTTP/2 connection: both servers allow more. */
export const watchesPerConnection = 100;

export interface FanOutResult extends WatchDelays, Usage {
  readonly eventsPerSecond: number;
}

interface WatchLoad {
  readonly collection: string;
  /** The query of each watch, besides where it starts. */
  readonly query: string;
  readonly count: number;
  /** The number of watches that receive each event. */
  readonly receivers: number;
  /** Over HTTP/2, instead of HTTP/1.1. */
  readonly isHttp2: boolean;
  /** The objects that are updated. */
  readonly objects: number;
  readonly body: (index: number, tick: string) => string;
}

/** Opens `count` watches on one namespace and updates its objects: first at full speed, then at a steady rate. */
export function runFanOut(
  side: Side,
  count: number,
  seconds: number,
  { isHttp2 }: { readonly isHttp2: boolean },
): Promise<{ full: FanOutResult; steady: FanOutResult }> {
  const load = {
    ...{ collection: configMapsOf(watchNamespace), query: '', count, receivers: count, isHttp2 },
    ...{ objects: concurrentUpdates, body: configMap },
  };
  return withWatchers(side, load, async (writer) => ({
    full: await writer.writeAtFullSpeed(seconds),
    steady: await writer.writeSteadily(seconds),
  }));
}

/** Opens `count` watches with a label selector each, over HTTP/2, and updates objects that one of them selects. */
export function runSelectiveWatches(side: Side, count: number, seconds: number): Promise<FanOutResult> {
  const load = {
    ...{ collection: configMapsOf(selectorNamespace), query: `&${selectWatcher(watcherNumber)}`, count },
    ...{ receivers: 1, isHttp2: true, objects: count, body: selectedConfigMap },
  };
  return withWatchers(side, load, (writer) => writer.writeAtFullSpeed(seconds));
}

async function withWatchers<T>(
  side: Side,
  load: WatchLoad,
  use: (writer: MeasuredWriter) => Promise<T>,
): Promise<T> {
  const client = new ApiClient(side, concurrentUpdates);
  const list = await client.expect([200], 'GET', `${load.collection}?limit=1`);
  const { metadata } = JSON.parse(list.body) as { metadata: { resourceVersion: string } };
  const query = `watch=1&resourceVersion=${metadata.resourceVersion}&timeoutSeconds=3600${load.query}`;
  const watchers = await Watchers.open(side, {
    ...{ path: `${load.collection}?${query}`, count: load.count, receivers: load.receivers },
    ...(load.isHttp2 && { streams: watchesPerConnection }),
  });
  try {
    const writer = new MeasuredWriter(side, load, client, watchers);
    await writer.openConnections();
    return await use(writer);
  } finally {
    await watchers.close();
    client.close();
  }
}

class MeasuredWriter {
  readonly #side: Side;
  readonly #load: WatchLoad;
  readonly #client: ApiClient;
  readonly #watchers: Watchers;
  #sequence = 0;

  constructor(side: Side, load: WatchLoad, client: ApiClient, watchers: Watchers) {
    this.#side = side;
    this.#load = load;
    this.#client = client;
    this.#watchers = watchers;
  }

  async openConnections(): Promise<void> {
    await this.#concurrently((slot) => this.#update(slot));
  }

  writeAtFullSpeed(seconds: number): Promise<FanOutResult> {
    return this.#measure((startMs) =>
      this.#concurrently(async (slot) => {
        for (let i = slot; performance.now() < startMs + seconds * 1000; i += concurrentUpdates) {
          await this.#update(i % this.#load.objects);
        }
      }),
    );
  }

  writeSteadily(seconds: number): Promise<FanOutResult> {
    return this.#measure(async (startMs) => {
      const writes: Promise<void>[] = [];
      for (let i = 0; i < seconds * pacedWritesPerSecond; i++) {
        await sleep(Math.max(0, startMs + (i * 1000) / pacedWritesPerSecond - performance.now()));
        writes.push(this.#update(i % this.#load.objects));
      }
      await Promise.all(writes);
    });
  }

  async #concurrently(write: (slot: number) => Promise<void>): Promise<void> {
    await Promise.all(Array.from({ length: concurrentUpdates }, (_, slot) => write(slot)));
  }

  async #update(index: number): Promise<void> {
    const { collection, body } = this.#load;
    const sequence = this.#sequence++;
    const complete = this.#watchers.complete(sequence);
    const object = body(index, tickOf(Number(process.hrtime.bigint() / 1000n), sequence));
    await Promise.all([
      this.#client.expect([200], 'PUT', `${collection}/${nameOf(index)}`, object),
      complete,
    ]);
  }

  async #measure(write: (startMs: number) => Promise<void>): Promise<FanOutResult> {
    await this.#watchers.delays();
    const usage = measureUsage(this.#side, () => this.#watchers.cpuSeconds());
    const startMs = performance.now();
    await write(startMs);
    const elapsed = (performance.now() - startMs) / 1000;
    const cpuUsage = usage();
    const delays = await this.#watchers.delays();
    return { ...delays, ...cpuUsage, eventsPerSecond: delays.delivered / elapsed };
  }
}
