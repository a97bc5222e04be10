// Iterates over a key range in batches, yielding to the event loop in between.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Store, StoredObject } from './store.ts';

const batchSize = 200;

/**
 * Visits every object of a key range. Each batch is read from its own snapshot: callers receive concurrent changes
 * from the change feed, or not at all. Resolves early once `isOver`.
 */
export async function walk(
  store: Store,
  range: string,
  visit: (object: StoredObject) => void,
  isOver: () => boolean = () => false,
): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined && !isOver(); ) {
    after = visitBatch(store, range, after, visit);
    if (after !== undefined) await nextTurn();
  }
}

/** Returns the key to continue after; undefined at the end of the range. */
function visitBatch(
  store: Store,
  range: string,
  after: string,
  visit: (object: StoredObject) => void,
): string | undefined {
  const view = store.pin();
  try {
    let count = 0;
    let last = after;
    for (const object of view.range(range, after || undefined)) {
      if (count++ === batchSize) return last;
      visit(object);
      last = object.key;
    }
    return undefined;
  } finally {
    view.release();
  }
}
