// Metrics of storage: size, quota and number of objects.
import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import type { ServedResource } from '../../kind/registry.ts';
import type { Store } from '../../store/store.ts';
import type { Metrics, NumberFamily } from '../../telemetry/metrics.ts';

/** Maximum age of the object counts, in milliseconds. */
const maxAgeMs = 60_000;
/** Keys that are counted per turn of the event loop. */
const keysPerBatch = 5_000;

/**
 * The store size and the object counts. The size is read at every scrape. Counting reads all keys, so it happens rarely
 * and in small batches.
 */
export class StorageMetrics {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #storedResources: () => readonly ServedResource[];
  readonly #objectCounts: NumberFamily;
  #countedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    metrics: Metrics,
    store: Store,
    storedResources: () => readonly ServedResource[],
    clock: Clock,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#storedResources = storedResources;
    this.#objectCounts = metrics.gauge('apiserver_storage_objects');
    const size = metrics.gauge('apiserver_storage_size_bytes');
    const used = metrics.gauge('apiserver_storage_used_bytes');
    const quota = metrics.gauge('apiserver_storage_quota_bytes');
    const outOfSpace = metrics.gauge('apiserver_storage_out_of_space');
    metrics.onRender(() => {
      const stats = store.stats();
      size.child('store-0').value = stats.bytes;
      used.child().value = stats.usedBytes ?? stats.bytes;
      quota.child().value = stats.quotaBytes ?? 0;
      outOfSpace.child().value = stats.outOfSpace === undefined ? 0 : 1;
    });
  }

  /** Counts again if the last count is too old. */
  async refresh(): Promise<void> {
    const now = this.#clock.now();
    if (now - this.#countedAtMs < maxAgeMs) return;
    this.#countedAtMs = now;
    for (const resource of this.#storedResources()) {
      const { definition, group } = resource;
      if (definition.virtual) continue;
      const name = group === '' ? definition.plural : `${definition.plural}.${group}`;
      this.#objectCounts.child(name).value = await this.#count(resource.range(''));
    }
  }

  async #count(prefix: string): Promise<number> {
    let count = 0;
    let lastKey = '';
    for (;;) {
      // One view per batch: a view that is pinned across turns of the event loop keeps the data file from reusing pages.
      const view = this.#store.pin();
      let batchCount = 0;
      try {
        for (const key of view.keys(prefix, lastKey === '' ? undefined : lastKey)) {
          lastKey = key;
          if (++batchCount === keysPerBatch) break;
        }
      } finally {
        view.release();
      }
      count += batchCount;
      if (batchCount < keysPerBatch) return count;
      await nextEventLoopTurn();
    }
  }
}
