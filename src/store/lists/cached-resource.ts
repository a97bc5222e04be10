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
  #index: RunIndex | undefined;
  #building: Promise<void> | undefined;
  /** Changes after the snapshot that the index is built from. */
  #pendingChanges: Change[] = [];

  constructor(store: Store, prefix: string, options: RunOptions) {
    this.pastLog = new PastLog(store, prefix);
    const view = store.pin();
    try {
      const built = runCooperatively(RunIndex.build(prefix, view, options));
      if (built instanceof Promise)
        this.#building = built.then((index) => this.#start(index)).finally(() => view.release());
      else this.#start(built);
    } finally {
      if (!this.#building) view.release();
    }
  }

  /** Undefined while it is being built. */
  get index(): RunIndex | undefined {
    return this.#index;
  }

  /** Resolves once the index is built; undefined afterwards. */
  get building(): Promise<void> | undefined {
    return this.#building;
  }

  /** Applies a change, or defers it until the index is built. */
  apply(change: Change): void {
    this.pastLog.add(change);
    if (this.#index) this.#index.apply(change);
    else this.#pendingChanges.push(change);
  }

  /** The index ignores the changes that its snapshot already includes. */
  #start(index: RunIndex): void {
    for (const change of this.#pendingChanges) index.apply(change);
    this.#pendingChanges = [];
    this.#index = index;
    this.#building = undefined;
  }
}
