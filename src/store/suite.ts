/** Conformance suite of storage backends: tests every guarantee of `store.ts`. */
import { afterEach, describe } from 'node:test';
import { MovableClock } from '../base/clock.ts';
import type { Revision, Store } from './store.ts';
import { changesCases } from './suite/changes.ts';
import { historyCases } from './suite/history.ts';
import { modelCases } from './suite/model.ts';
import { preconditionCases } from './suite/preconditions.ts';
import { readingCases } from './suite/reading.ts';
import { reopeningCases } from './suite/reopening.ts';
import { timeCases } from './suite/time.ts';

export interface Opened {
  readonly store: Store;
  /** Closes the store and reopens it from disk. */
  readonly reopen: () => Promise<Store>;
  readonly dispose: () => Promise<void>;
}

/** Opens an empty store, which is disposed of after the test case. */
export type OpenStore = () => Promise<OpenedForCase>;

interface OpenedForCase extends Opened {
  readonly clock: MovableClock;
  /** The revision of the empty store: other programs may have written to the same backend before. */
  readonly base: Revision;
  /** Whether revisions follow the order of calls across all keys, or only per key. */
  readonly ordersAll: boolean;
}

export const HISTORY_MS = 5 * 60_000;

/** `open` creates an empty store that retains HISTORY_MS of history. */
export function suite(
  name: string,
  open: (clock: MovableClock) => Promise<Opened>,
  { leavesNothing = false, ordersAll = true } = {},
): void {
  describe(name, () => {
    const opened: Opened[] = [];
    const openStore: OpenStore = async () => {
      const clock = new MovableClock();
      const one = await open(clock);
      opened.push(one);
      return { ...one, clock, base: one.store.revision, ordersAll };
    };
    afterEach(async () => {
      for (const one of opened.splice(0)) await one.dispose();
    });
    preconditionCases(openStore);
    changesCases(openStore);
    readingCases(openStore);
    historyCases(openStore);
    timeCases(openStore);
    if (!leavesNothing) reopeningCases(openStore);
    modelCases(openStore);
  });
}
