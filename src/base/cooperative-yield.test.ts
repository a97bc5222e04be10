// Tests of cooperative yielding.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CooperativeYield, carryOn, type Work } from './cooperative-yield.ts';

/** Counts to a number, and pauses before each step that must wait. */
function* count(to: number, stopsAt: (i: number) => Promise<unknown> | undefined): Work<number> {
  let counted = 0;
  for (let i = 0; i < to; i++) {
    const stop = stopsAt(i);
    if (stop) yield stop;
    counted++;
  }
  return counted;
}

test('work that never stops is done at once', () => {
  assert.equal(carryOn(count(3, () => undefined)), 3);
});

test('work that stops goes on when it can', async () => {
  const done = carryOn(count(3, (i) => (i === 1 ? Promise.resolve() : undefined)));
  assert.ok(done instanceof Promise);
  assert.equal(await done, 3);
});

test('what goes wrong while it waits ends it', async () => {
  await assert.rejects(async () => carryOn(count(3, () => Promise.reject(new Error('no')))), {
    message: 'no',
  });
});

test('others have their turn in work that takes long', async () => {
  let others = 0;
  const ticking = setInterval(() => others++, 1);
  const end = performance.now() + 60_000;
  await carryOn(busyWhile(() => others === 0 && performance.now() < end));
  clearInterval(ticking);
  assert.ok(others > 0);
});

function* busyWhile(goesOn: () => boolean): Work<void> {
  const turns = new CooperativeYield();
  while (goesOn()) {
    const turn = turns.next();
    if (turn) yield turn;
  }
}
