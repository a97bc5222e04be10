/**
 * The list cache of one resource: its runs (buffers of neighbouring objects), and the log of its recent changes.
 *
 * Invariant: every change is applied exactly once, also if it arrives while the runs are being built.
 */

import type { Change, Store } from '../store.ts';
import { PastLog } from './past-log.ts';
import { runCooperatively } from './run-cooperatively.ts';
import { RunIndex, type RunOptions } from './run-index.ts';

export class CachedResource {
  readonly pastLog: PastLog;
  readonly #store: Store;
  readonly #prefix: string;
  readonly #options: RunOptions;
  #index: RunIndex | undefined;
  #building: Promise<void> | undefined;
  /** Changes after the snapshot that the index is built from; undefined while it is not being built. */
  #pendingChanges: Change[] | undefined;

  constructor(store: Store, prefix: string, options: RunOptions) {
    this.pastLog = new PastLog(store, prefix);
    this.#store = store;
    this.#prefix = prefix;
    this.#options = options;
  }

  /** Undefined until it is built: lists from an index of the store do not need it. */
  get index(): RunIndex | undefined {
    return this.#index;
  }

  /** The index, or a promise to wait for while it is being built. After a failure the next call starts again. */
  build(): RunIndex | Promise<void> {
    if (this.#index || this.#building) return this.#index ?? this.#building!;
    const view = this.#store.pin();
    this.#pendingChanges = [];
    try {
      const built = runCooperatively(RunIndex.build(this.#prefix, view, this.#options));
      if (!(built instanceof Promise)) return this.#start(built);
      this.#building = built
        .then((index) => void this.#start(index))
        .finally(() => {
          this.#building = undefined;
          view.release();
        });
      return this.#building;
    } finally {
      if (!this.#building) view.release();
    }
  }

  /** Applies a change, or defers it until the index is built. */
  apply(change: Change): void {
    this.pastLog.add(change);
    if (this.#index) this.#index.apply(change);
    else this.#pendingChanges?.push(change);
  }

  /** The index ignores the changes that its snapshot already includes. */
  #start(index: RunIndex): RunIndex {
    for (const change of this.#pendingChanges ?? []) index.apply(change);
    this.#pendingChanges = undefined;
    this.#index = index;
    return index;
  }
}
