// Cooperative scheduling: runs a generator step by step, so that a long read does not block the event loop.
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Runs a generator's first step synchronously, and each further step in its own turn of the event loop. Returns the
 * result directly if the generator never yields.
 */
export function runCooperatively<T>(steps: Generator<void, T, undefined>): T | Promise<T> {
  const first = steps.next();
  return first.done ? first.value : continueCooperatively(steps);
}

async function continueCooperatively<T>(steps: Generator<void, T, undefined>): Promise<T> {
  for (;;) {
    await nextTurn();
    const step = steps.next();
    if (step.done) return step.value;
  }
}
