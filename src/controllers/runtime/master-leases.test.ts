// Tests of API server leases.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovableClock } from '../../base/clock.ts';
import { MemoryStore } from '../../store/memory/memory-store.ts';
import { MasterLeases } from './master-leases.ts';

test('a server is alive until its Lease expires', async () => {
  const clock = new MovableClock();
  const store = new MemoryStore({ clock });
  const [one, other] = ['10.0.0.1', 'fd00::2'].map((address) => new MasterLeases(store, clock, address));
  await one!.renew();
  await other!.renew();
  assert.deepEqual(one!.addresses(), ['10.0.0.1', 'fd00::2']);
  clock.advance(20_000);
  await one!.renew();
  clock.advance(20_000);
  while (one!.addresses().length > 1) await new Promise(setImmediate);
  assert.deepEqual(other!.addresses(), ['10.0.0.1']);
  await other!.renew();
  await one!.release();
  await one!.release();
  assert.deepEqual(one!.addresses(), ['fd00::2']);
});
