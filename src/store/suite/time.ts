// Conformance suite: expiry and compaction by age.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../store.ts';
import { dataOf, put, until } from './objects.ts';
import { HISTORY_MS, type OpenStore } from './open-store.ts';

export function timeCases(open: OpenStore): void {
  test('history older than the retention period is compacted', async () => {
    const { store, clock, base } = await open();
    await Promise.all(Array.from({ length: 600 }, (_, i) => put(store, `things/${i}`)));
    clock.advance(HISTORY_MS / 2);
    await put(store, 'things/young');
    assert.equal(store.compacted, base);
    clock.advance(HISTORY_MS * 0.7);
    await until(() => store.compacted > base);
    await until(() => store.compacted === base + 600);
    assert.deepEqual(
      [...store.history('things', base + 600)].map(({ key }) => key),
      ['things/young'],
    );
    clock.advance(HISTORY_MS * 2);
    await until(() => store.compacted === base + 601);
    assert.equal(store.stats().objects, 601);
  });

  test('an expired object is deleted with its own revision', async () => {
    const { store, clock, base } = await open();
    const delivered: Change[] = [];
    store.subscribe((changes) => delivered.push(...changes));
    await put(store, 'events/long', { data: 'long', expiresAt: clock.now() + 60_000 });
    await put(store, 'events/short', { data: 'short', expiresAt: clock.now() + 10_000 });
    await put(store, 'things/a');
    clock.advance(9_000);
    await put(store, 'things/a');
    assert.equal(dataOf(store.get('events/short')), 'short');
    clock.advance(2_000);
    await until(() => store.get('events/short') === undefined);
    const [deletion] = delivered.slice(4);
    assert.deepEqual([deletion?.type, deletion?.prefix, deletion?.revision], ['deleted', 'events', base + 5]);
    assert.equal(dataOf(deletion?.object), 'short');
    assert.equal(dataOf(store.get('events/long')), 'long');
    clock.advance(60_000);
    await until(() => store.get('events/long') === undefined);
    assert.equal(store.revision, base + 6);
    assert.equal(store.stats().objects, 1);
  });

  test('an update changes the expiry time', async () => {
    const { store, clock } = await open();
    await put(store, 'events/later', { expiresAt: clock.now() + 10_000 });
    await put(store, 'events/never', { expiresAt: clock.now() + 10_000 });
    await put(store, 'events/sooner', { expiresAt: clock.now() + 100_000 });
    await put(store, 'events/later', { expiresAt: clock.now() + 50_000 });
    await put(store, 'events/never');
    await put(store, 'events/sooner', { expiresAt: clock.now() + 5_000 });
    clock.advance(20_000);
    await until(() => store.get('events/sooner') === undefined);
    assert.ok(store.get('events/later') && store.get('events/never'));
    clock.advance(40_000);
    await until(() => store.get('events/later') === undefined);
    clock.advance(100_000);
    await put(store, 'things/a');
    assert.ok(store.get('events/never'));
  });

  test('many objects that expire together are all deleted, each with its own revision', async () => {
    const { store, clock, base } = await open();
    const expiresAt = clock.now() + 1_000;
    await Promise.all(Array.from({ length: 1_500 }, (_, i) => put(store, `events/${i}`, { expiresAt })));
    clock.advance(2_000);
    await until(() => {
      // Expiry is spread over several turns; the clock has already reached their time.
      clock.advance(1);
      return store.stats().objects === 0;
    });
    assert.equal(store.revision, base + 3_000);
    assert.deepEqual(
      [...store.history('events', base + 1_500)].map(({ revision }) => revision),
      Array.from({ length: 1_500 }, (_, i) => base + 1_501 + i),
    );
  });
}
