// Metrics of storage: size and number of objects.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import type { ServedResource } from '../../kind/registry.ts';
import type { Store } from '../../store/store.ts';
import type { Metrics, NumberFamily } from '../../telemetry/metrics.ts';

/** Maximum age of the object counts, in milliseconds. */
const maxAgeMs = 60_000;
/** Keys counted before it yields to the event loop. */
const keysPerBatch = 5_000;

/** Counting reads all keys, so it happens rarely and in small batches. */
export class StorageMetrics {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #stored: () => readonly ServedResource[];
  readonly #objects: NumberFamily;
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor(meters: Metrics, store: Store, stored: () => readonly ServedResource[], clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#stored = stored;
    this.#objects = meters.gauge('apiserver_storage_objects');
    const size = meters.gauge('apiserver_storage_size_bytes');
    meters.onRender(() => {
      size.child('store-0').value = store.stats().bytes;
    });
  }

  /** Counts again if the last count is too old. */
  async refresh(): Promise<void> {
    const now = this.#clock.now();
    if (now - this.#countedAt < maxAgeMs) return;
    this.#countedAt = now;
    for (const resource of this.#stored()) {
      const { definition, group } = resource;
      if (definition.virtual) continue;
      const name = group === '' ? definition.plural : `${definition.plural}.${group}`;
      this.#objects.child(name).value = await this.#count(resource.range(''));
    }
  }

  async #count(prefix: string): Promise<number> {
    let count = 0;
    let last = '';
    for (;;) {
      // A view pinned across turns of the event loop would keep the data file from reusing pages.
      const view = this.#store.pin();
      let inTurn = 0;
      try {
        for (const key of view.keys(prefix, last === '' ? undefined : last)) {
          last = key;
          if (++inTurn === keysPerBatch) break;
        }
      } finally {
        view.release();
      }
      count += inTurn;
      if (inTurn < keysPerBatch) return count;
      await nextTurn();
    }
  }
}
