// Tests of cooperative yielding.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CooperativeTask, CooperativeYield, runTask } from './cooperative-yield.ts';

/** Counts to a number, and pauses before each step that must wait. */
function* count(
  to: number,
  pauseBefore: (i: number) => Promise<unknown> | undefined,
): CooperativeTask<number> {
  let counted = 0;
  for (let i = 0; i < to; i++) {
    const pause = pauseBefore(i);
    if (pause) yield pause;
    counted++;
  }
  return counted;
}

test('runTask returns synchronously if the work never pauses', () => {
  assert.equal(runTask(count(3, () => undefined)), 3);
});

test('runTask continues paused work when the promise resolves', async () => {
  const done = runTask(count(3, (i) => (i === 1 ? Promise.resolve() : undefined)));
  assert.ok(done instanceof Promise);
  assert.equal(await done, 3);
});

test('runTask rejects if a promise that the work waits for rejects', async () => {
  await assert.rejects(async () => runTask(count(3, () => Promise.reject(new Error('no')))), {
    message: 'no',
  });
});

test('long work yields to the event loop', async () => {
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 1);
  const end = performance.now() + 60_000;
  await runTask(busyWhile(() => ticks === 0 && performance.now() < end));
  clearInterval(ticking);
  assert.ok(ticks > 0);
});

test('computations that share a CooperativeYield share its turns', async () => {
  const shared = new CooperativeYield();
  // Callers wait in functions that call each other: each one continues a microtask later.
  const waitForTurn = async () => shared.next();
  const waitInCaller = async () => {
    await waitForTurn();
  };
  const perTurn: number[] = [0];
  let isCounting = true;
  const countTurns = () => {
    perTurn.push(0);
    if (isCounting) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const step = async () => {
    for (let i = 0; i < 3; i++) {
      for (const end = performance.now() + 6; performance.now() < end; );
      perTurn[perTurn.length - 1]! += 1;
      await waitInCaller();
    }
  };
  await shared.next();
  await Promise.all([step(), step(), step(), step()]);
  isCounting = false;
  // The first steps ran when they were called. Every later one took longer than a turn may take.
  const later = perTurn.slice(perTurn.findIndex((steps) => steps > 0) + 1);
  assert.deepEqual(new Set(later.filter((steps) => steps > 0)), new Set([1]));
});

function* busyWhile(isRunning: () => boolean): CooperativeTask<void> {
  const cooperativeYield = new CooperativeYield();
  while (isRunning()) {
    const pause = cooperativeYield.next();
    if (pause) yield pause;
  }
}
