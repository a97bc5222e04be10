import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Store, StoredObject } from './store.ts';

const atOnce = 200;

/**
 * Shows every object under a range of keys, a few at a time so that others have their turn. Each is as it was when its turn
 * came: what changes meanwhile is heard of from the log, or not at all. Resolves early once `isOver`.
 */
export async function walk(
  store: Store,
  range: string,
  visit: (object: StoredObject) => void,
  isOver: () => boolean = () => false,
): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined && !isOver(); ) {
    after = visitSome(store, range, after, visit);
    if (after !== undefined) await nextTurn();
  }
}

/** The last key that was read; undefined once all have been. */
function visitSome(
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
      if (count++ === atOnce) return last;
      visit(object);
      last = object.key;
    }
    return undefined;
  } finally {
    view.release();
  }
}
