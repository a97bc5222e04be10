// Tests of slow start: batch sizes, and the end after a failure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slowStart } from './slow-start.ts';

/** Counts the operations of each batch; those from the `failFrom`-th on fail. */
function operations(failFrom = Number.POSITIVE_INFINITY) {
  const batches: number[] = [];
  let running = 0;
  let started = 0;
  const operation = async () => {
    if (running === 0) batches.push(0);
    running += 1;
    batches[batches.length - 1]! += 1;
    const index = started++;
    await Promise.resolve();
    running -= 1;
    if (index >= failFrom) throw new Error(`operation ${index} failed`);
  };
  return { batches, operation };
}

test('batches double in size', async () => {
  const { batches, operation } = operations();
  assert.deepEqual(await slowStart(10, operation), { succeeded: 10, error: undefined });
  assert.deepEqual(batches, [1, 2, 4, 3]);
});

test('nothing is started after a batch with a failure, whose first error is returned', async () => {
  const { batches, operation } = operations(4);
  const { succeeded, error } = await slowStart(100, operation);
  assert.deepEqual([succeeded, (error as Error).message], [4, 'operation 4 failed']);
  assert.deepEqual(batches, [1, 2, 4]);
});

test('a number of 0 starts nothing', async () => {
  const { batches, operation } = operations();
  assert.deepEqual(await slowStart(0, operation), { succeeded: 0, error: undefined });
  assert.deepEqual(batches, []);
});
