// Tests of seat demand statistics.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeatDemand } from './seat-demand.ts';

test('SeatDemand summarizes a period and decays slowly', () => {
  const demand = new SeatDemand(0);
  demand.set(10, 0);
  demand.set(0, 5000);
  const first = demand.summarize(10_000);
  assert.deepEqual([first.highest, first.average, first.deviation, first.smoothed], [10, 5, 5, 10]);
  const second = demand.summarize(20_000);
  assert.deepEqual([second.highest, second.average], [0, 0]);
  assert.ok(Math.abs(second.smoothed - 9.77) < 1e-9);
});

test('SeatDemand starts a period with the current demand, and tolerates a clock set back', () => {
  const demand = new SeatDemand(1000);
  demand.set(3, 1000);
  demand.summarize(2000);
  demand.set(1, 1500);
  const { highest, average } = demand.summarize(2500);
  assert.equal(highest, 3);
  assert.ok(average > 0);
});
