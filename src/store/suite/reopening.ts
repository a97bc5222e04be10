// Conformance suite: durability across a reopen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsed, put, remove, summary, until } from './objects.ts';
import type { OpenStore } from './open-store.ts';

export function reopeningCases(open: OpenStore): void {
  test('all writes are present after a reopen', async () => {
    const { store, reopen, base } = await open();
    for (let i = 0; i < 50; i++)
      await put(store, `things/${i % 20}`, { data: `${i}`, labels: { i: `${i}` } });
    await remove(store, 'things/3');
    await store.compact(base + 10);
    const contents = (of: typeof store) => {
      const view = of.pin();
      const objects = [...view.range('')].map((object) => [object.key, parsed(object)]);
      view.release();
      return {
        objects,
        history: [...of.history('things', base + 10)].map(summary),
        stats: of.stats().objects,
      };
    };
    const contentsBefore = contents(store);
    const reopened = await reopen();
    assert.deepEqual([reopened.revision, reopened.compacted], [base + 51, base + 10]);
    assert.deepEqual(contents(reopened), contentsBefore);
    assert.equal((await put(reopened, 'things/3', {}, 0)).revision, base + 52);
  });

  test('revisions continue after a reopen with fully compacted history', async () => {
    const { store, reopen, base } = await open();
    await put(store, 'things/a');
    await remove(store, 'things/a');
    await store.compact(base + 2);
    const reopened = await reopen();
    assert.deepEqual([reopened.revision, reopened.compacted], [base + 2, base + 2]);
    assert.equal((await put(reopened, 'things/a')).revision, base + 3);
  });

  test('an object that expired while the store was closed is deleted on open', async () => {
    const { store, reopen, clock, base } = await open();
    await put(store, 'events/a', { expiresAt: clock.now() + 1_000 });
    await store.close();
    clock.advance(5_000);
    const reopened = await reopen();
    await until(() => reopened.get('events/a') === undefined);
    assert.equal(reopened.revision, base + 2);
  });
}
