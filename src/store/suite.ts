/** The cases that every storage backend must pass: what `store.ts` promises, one promise after the other. */
import { afterEach, describe } from 'node:test';
import { MovableClock } from '../clock.ts';
import type { Revision, Store } from './store.ts';
import { changesCases } from './suite/changes.ts';
import { historyCases } from './suite/history.ts';
import { modelCases } from './suite/model.ts';
import { preconditionCases } from './suite/preconditions.ts';
import { readingCases } from './suite/reading.ts';
import { reopeningCases } from './suite/reopening.ts';
import { timeCases } from './suite/time.ts';

/** A store under test. */
export interface Opened {
  readonly store: Store;
  /** Closes the store and opens what it has left on disk. */
  readonly reopen: () => Promise<Store>;
  readonly dispose: () => Promise<void>;
}

/** Where a case gets an empty store from. It is disposed of when the case is done. */
export type OpenStore = () => Promise<OpenedForCase>;

interface OpenedForCase extends Opened {
  readonly clock: MovableClock;
  /** The revision at which it was empty: others may have written to the same backend before. */
  readonly base: Revision;
  /** Whether writes get their revisions in the order of the calls, or only those to the same key. */
  readonly ordersAll: boolean;
}

export const HISTORY_MS = 5 * 60_000;

/** `open` makes an empty store with a history of HISTORY_MS. */
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
