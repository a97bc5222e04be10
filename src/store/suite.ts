/** Conformance suite of storage backends: tests every guarantee of `store.ts`. */
import { afterEach, describe } from 'node:test';
import { MovableClock } from '../base/clock.ts';
import { changesCases } from './suite/changes.ts';
import { historyCases } from './suite/history.ts';
import { modelCases } from './suite/model.ts';
import type { OpenedBackend, OpenStore } from './suite/open-store.ts';
import { preconditionCases } from './suite/preconditions.ts';
import { readingCases } from './suite/reading.ts';
import { reopeningCases } from './suite/reopening.ts';
import { timeCases } from './suite/time.ts';

/** `open` creates an empty store that retains HISTORY_MS of history. */
export function suite(
  name: string,
  open: (clock: MovableClock) => Promise<OpenedBackend>,
  { leavesNothing = false, ordersAll = true } = {},
): void {
  describe(name, () => {
    const opened: OpenedBackend[] = [];
    const openStore: OpenStore = async () => {
      const clock = new MovableClock();
      const one = await open(clock);
      opened.push(one);
      return { ...one, clock, base: one.store.revision, ordersAllKeys: ordersAll };
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
