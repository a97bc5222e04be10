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

interface SuiteOptions {
  /** The backend keeps nothing across a reopen. */
  readonly isEphemeral?: boolean;
  /** Whether revisions follow the order of calls across all keys, or only per key. */
  readonly ordersAllKeys?: boolean;
}

/** `open` creates an empty store that retains HISTORY_MS of history. */
export function suite(
  name: string,
  open: (clock: MovableClock) => Promise<OpenedBackend>,
  { isEphemeral = false, ordersAllKeys = true }: SuiteOptions = {},
): void {
  describe(name, () => {
    const opened: OpenedBackend[] = [];
    const openStore: OpenStore = async () => {
      const clock = new MovableClock();
      const backend = await open(clock);
      opened.push(backend);
      return { ...backend, clock, base: backend.store.revision, ordersAllKeys };
    };
    afterEach(async () => {
      for (const backend of opened.splice(0)) await backend.dispose();
    });
    preconditionCases(openStore);
    changesCases(openStore);
    readingCases(openStore);
    historyCases(openStore);
    timeCases(openStore);
    if (!isEphemeral) reopeningCases(openStore);
    modelCases(openStore);
  });
}
