// Tests of local time: the cache of formatters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usedHeapBytes } from '../../base/used-heap.fixture.ts';
import { wallClockIn } from './local-time.ts';

test('cached time zones do not keep the objects that they were read from', () => {
  const zones = Intl.supportedValuesOf('timeZone').filter(({ length }) => length > 13);
  for (const zone of zones.slice(0, 50)) wallClockIn(`${zone}, warm-up`.slice(0, zone.length));
  const before = usedHeapBytes();
  for (const zone of zones.slice(50, 110)) {
    const json = Buffer.from(`${zone}${'x'.repeat(500_000)}`).toString();
    wallClockIn(json.slice(0, zone.length));
  }
  assert.ok(usedHeapBytes() - before < 15_000_000);
});
