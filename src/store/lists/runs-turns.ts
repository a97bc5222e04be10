import { setImmediate as nextTurn } from 'node:timers/promises';

/** Does work that yields between its steps: the first step at once, the others a turn of the event loop apart. */
export function overTurns<T>(work: Generator<void, T, undefined>): T | Promise<T> {
  const first = work.next();
  return first.done ? first.value : theRest(work);
}

async function theRest<T>(work: Generator<void, T, undefined>): Promise<T> {
  for (;;) {
    await nextTurn();
    const step = work.next();
    if (step.done) return step.value;
  }
}
