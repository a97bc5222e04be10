/**
 * Everything kept for the lists of one resource: its runs, and what changed in it lately.
 *
 * Invariant: a change is taken in exactly once, also one that comes while the runs are still being laid out.
 */

import type { Change, Store } from '../store.ts';
import { PastLog } from './past.ts';
import { RunIndex, type RunOptions } from './runs-index.ts';
import { overTurns } from './runs-turns.ts';

export class Collection {
  readonly past: PastLog;
  #index: RunIndex | undefined;
  #building: Promise<void> | undefined;
  /** Changes since the view that the runs are laid out from. */
  #early: Change[] = [];

  constructor(store: Store, prefix: string, options: RunOptions) {
    this.past = new PastLog(store, prefix);
    const view = store.pin();
    try {
      const built = overTurns(RunIndex.build(prefix, view, options));
      if (built instanceof Promise)
        this.#building = built.then((index) => this.#start(index)).finally(() => view.release());
      else this.#start(built);
    } finally {
      if (!this.#building) view.release();
    }
  }

  get index(): RunIndex | undefined {
    return this.#index;
  }

  /** Settles once there is an index. */
  get building(): Promise<void> | undefined {
    return this.#building;
  }

  take(change: Change): void {
    this.past.add(change);
    if (this.#index) this.#index.apply(change);
    else this.#early.push(change);
  }

  #start(index: RunIndex): void {
    for (const change of this.#early) index.apply(change);
    this.#early = [];
    this.#index = index;
    this.#building = undefined;
  }
}
