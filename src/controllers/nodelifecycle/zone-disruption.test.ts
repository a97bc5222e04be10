// Tests of the disruption states of zones and the rates that follow from them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planDisruption, type ZoneState, zoneStateOf } from './zone-disruption.ts';
import { ZoneTainter } from './zone-tainter.ts';

const zones = (counts: Record<string, [ready: number, notReady: number]>) =>
  new Map(Object.entries(counts).map(([zone, [ready, notReady]]) => [zone, { ready, notReady }]));
const states = (byZone: Record<string, ZoneState>) => new Map(Object.entries(byZone));

test('a zone without a ready node is fully disrupted, one with many that are not ready partially', () => {
  assert.equal(zoneStateOf({ ready: 0, notReady: 1 }), 'FullDisruption');
  assert.equal(zoneStateOf({ ready: 2, notReady: 3 }), 'PartialDisruption');
  assert.equal(zoneStateOf({ ready: 3, notReady: 3 }), 'Normal');
  assert.equal(zoneStateOf({ ready: 1, notReady: 2 }), 'Normal');
});

test('nodes of a zone are tainted at the normal rate, or slowly or not at all in a partially disrupted zone', () => {
  const plan = planDisruption(
    states({ calm: 'Normal' }),
    zones({ calm: [2, 1], gone: [0, 2], small: [1, 9], large: [10, 90] }),
  );
  assert.deepEqual(
    [...plan.rates],
    [
      ['gone', 0.1],
      ['small', 0],
      ['large', 0.01],
    ],
  );
  assert.equal(plan.transition, undefined);
});

test('if no zone has a ready node, evictions stop until one has', () => {
  const stopped = planDisruption(
    states({ a: 'Normal', b: 'FullDisruption' }),
    zones({ a: [0, 1], b: [0, 1] }),
  );
  assert.equal(stopped.transition, 'stop');
  assert.deepEqual([...stopped.rates.values()], [0, 0]);
  const still = planDisruption(stopped.states, zones({ a: [0, 1], b: [0, 1] }));
  assert.deepEqual([still.transition, still.rates.size], [undefined, 0]);
  const resumed = planDisruption(still.states, zones({ a: [1, 0], b: [0, 1] }));
  assert.equal(resumed.transition, 'resume');
  assert.deepEqual([...resumed.rates.values()], [0.1, 0.1]);
});

test('a zone without nodes is forgotten, and a cluster without nodes is not disrupted', () => {
  assert.deepEqual([...planDisruption(states({ a: 'Normal' }), zones({ b: [1, 0] })).states.keys()], ['b']);
  assert.equal(planDisruption(new Map(), new Map()).transition, undefined);
});

test('the first node of a zone is tainted at once, the next ones at the rate', () => {
  const tainter = new ZoneTainter(0.1, 0);
  tainter.add('one');
  tainter.add('two');
  assert.equal(tainter.take(0), 'one');
  assert.equal(tainter.take(0), undefined);
  assert.equal(tainter.delayMs(4_000), 6_000);
  assert.equal(tainter.take(10_000), 'two');
  assert.equal(tainter.delayMs(10_000), undefined);
});

test('a zone whose tainting was stopped starts again after the interval of the new rate', () => {
  const tainter = new ZoneTainter(0.1, 0);
  tainter.setRate(0, 0);
  tainter.add('one');
  assert.deepEqual([tainter.take(60_000), tainter.delayMs(60_000)], [undefined, undefined]);
  tainter.setRate(0.1, 60_000);
  assert.equal(tainter.delayMs(60_000), 10_000);
  assert.equal(tainter.take(70_000), 'one');
});
