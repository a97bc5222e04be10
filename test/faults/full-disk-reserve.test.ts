// The space budget of the LMDB store: deletions on a full disk under concurrency, with a pinned view, and near a quota.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { checkDirectory } from '../../src/store/lmdb/check.ts';
import { LmdbStore } from '../../src/store/lmdb/lmdb-store.ts';
import { StorageFull, type Store } from '../../src/store/store.ts';
import { put } from '../../src/store/suite/objects.ts';
import { smallDisk, takeRest } from './small-disk.ts';

const MEGABYTE = 1024 * 1024;

/** Rethrows errors other than StorageFull. */
function assertFull(error: unknown): false {
  assert.ok(error instanceof StorageFull, String(error));
  return false;
}

const tryToPut = (store: Store, key: string, bytes: number) =>
  put(store, key, { data: 'x'.repeat(bytes) }).then(() => true, assertFull);

const tryToDelete = (store: Store, key: string) =>
  store.commit({ prefix: 'things', key, draft: null }).then(() => true, assertFull);

async function fill(store: Store, bytes: number): Promise<string[]> {
  const keys: string[] = [];
  for (let number = 0; ; number++) {
    const key = `things/${bytes}-${number}`;
    if (!(await tryToPut(store, key, bytes))) return keys;
    keys.push(key);
  }
}

test('objects can be deleted on a full disk after a view that kept their pages was released', async (t) => {
  const disk = await smallDisk(t, 32);
  if (disk === undefined) return;
  const dir = join(disk, 'data');
  const store = LmdbStore.open({ dir, clock: systemClock, dialect: 'orch' });
  const keys = await fill(store, 20_000);
  await takeRest(join(disk, 'ballast'));
  const view = store.pin();
  // One transaction each, so that the pages of the reserve are used up.
  const left: string[] = [];
  for (const key of keys) if (!(await tryToDelete(store, key))) left.push(key);
  view.release();
  for (const key of left) assert.ok(await tryToDelete(store, key), `${key} of ${left.length}`);
  assert.equal(store.stats().objects, 0);
  await store.close();
  assert.deepEqual((await checkDirectory(dir)).findings, []);
});

test('a disk that is full of history is compacted, and all objects can be deleted at once', async (t) => {
  const disk = await smallDisk(t, 32);
  if (disk === undefined) return;
  const dir = join(disk, 'data');
  const store = LmdbStore.open({ dir, clock: systemClock, dialect: 'orch' });
  const keys = Array.from({ length: 2_000 }, (_, number) => `things/${number}`);
  await Promise.all(keys.map((key) => tryToPut(store, key, 1_000)));
  // Updates in another order than the creations, so that compaction removes states from all over the file.
  let isAccepted = true;
  for (let round = 1; isAccepted; round++) {
    const order = keys.map((_, number) => keys[(number * 769 + round * 31) % keys.length]!);
    const results = await Promise.all(order.map((key) => tryToPut(store, key, 1_000 + 20 * round)));
    isAccepted = results.every(Boolean);
  }
  await takeRest(join(disk, 'ballast'));
  while (store.compacted === 0) {
    await setTimeout(100);
    await tryToPut(store, keys[0]!, 10);
  }
  const deleted = await Promise.all(keys.map((key) => tryToDelete(store, key)));
  assert.ok(deleted.every(Boolean));
  await store.close();
  const { findings, objects } = await checkDirectory(dir);
  assert.deepEqual([findings, objects], [[], 0]);
});

test('a burst of writes below the quota is accepted', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'orch-quota-'));
  t.after(() => rm(dir, { recursive: true }));
  const store = LmdbStore.open({ dir, clock: systemClock, dialect: 'orch', quotaBytes: 4 * MEGABYTE });
  for (let number = 0; number < 300; number++) assert.ok(await tryToPut(store, `things/${number}`, 100));
  assert.ok(store.stats().usedBytes! < MEGABYTE);
  const concurrent = Array.from({ length: 300 }, (_, number) => tryToPut(store, `things/c-${number}`, 100));
  assert.ok((await Promise.all(concurrent)).every(Boolean));
  await store.close();
});
