// How the cases of the conformance suite open the backend under test.
import type { MovableClock } from '../../base/clock.ts';
import type { Revision, Store } from '../store.ts';

export interface OpenedBackend {
  readonly store: Store;
  /** Closes the store and reopens it from disk. */
  readonly reopen: () => Promise<Store>;
  readonly dispose: () => Promise<void>;
}

interface OpenedForCase extends OpenedBackend {
  readonly clock: MovableClock;
  /** The revision of the empty store: other programs may have written to the same backend before. */
  readonly base: Revision;
  /** Whether revisions follow the order of calls across all keys, or only per key. */
  readonly ordersAllKeys: boolean;
}

/** Opens an empty store, which is disposed of after the test case. */
export type OpenStore = () => Promise<OpenedForCase>;

/** Retention of the history, as the suite opens its stores. */
export const HISTORY_MS = 5 * 60_000;
