// Iterates over the objects with a key prefix in batches, yielding to the event loop in between.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Store, StoredObject } from './store.ts';

/** A batch ends after this many objects, or after `maxBatchMs`: objects may be large. */
const batchSize = 200;
const maxBatchMs = 5;

/**
 * Visits every object whose key starts with `keyPrefix`. Each batch is read from its own snapshot: callers receive concurrent changes
 * from the change feed, or not at all. Resolves early once `shouldStop` returns true.
 */
export async function walk(
  store: Store,
  keyPrefix: string,
  visit: (object: StoredObject) => void,
  shouldStop: () => boolean = () => false,
): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined && !shouldStop(); ) {
    after = visitBatch(store, keyPrefix, after, visit);
    if (after !== undefined) await nextTurn();
  }
}

/** Returns the key to continue after; undefined at the end of the range. */
function visitBatch(
  store: Store,
  keyPrefix: string,
  after: string,
  visit: (object: StoredObject) => void,
): string | undefined {
  const view = store.pin();
  try {
    const startedAtMs = performance.now();
    let count = 0;
    let lastKey = after;
    for (const object of view.range(keyPrefix, after || undefined)) {
      const isFull = count === batchSize || (count > 0 && performance.now() - startedAtMs >= maxBatchMs);
      if (isFull) return lastKey;
      count++;
      visit(object);
      lastKey = object.key;
    }
    return undefined;
  } finally {
    view.release();
  }
}
