// Cooperative scheduling of generators.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Runs a generator's first step synchronously, and each further step in a turn of the event loop of its own. */
export function runCooperatively<T>(work: Generator<void, T, undefined>): T | Promise<T> {
  const first = work.next();
  return first.done ? first.value : continueCooperatively(work);
}

async function continueCooperatively<T>(work: Generator<void, T, undefined>): Promise<T> {
  for (;;) {
    await nextTurn();
    const step = work.next();
    if (step.done) return step.value;
  }
}
