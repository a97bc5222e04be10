import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { checkDirectory } from '../../src/store/lmdb/check.ts';
import { DataDirectoryError } from '../../src/store/lmdb/directory.ts';
import { LmdbStore } from '../../src/store/lmdb/lmdb-store.ts';
import { StorageUnavailable, type Store } from '../../src/store/store.ts';
import { dataOf, put } from '../../src/store/suite/objects.ts';
import { smallDisk } from './small-disk.ts';

const MEGABYTE = 1024 * 1024;

/** Puts objects of 20 KB from several writers until all are rejected; returns the acknowledged ones. */
async function fill(store: Store, run: string): Promise<Map<string, string>> {
  const acknowledged = new Map<string, string>();
  let number = 0;
  const write = async () => {
    for (;;) {
      const key = `things/${run}-${number++}`;
      const data = `${key} ${'x'.repeat(20_000)}`;
      try {
        await put(store, key, { data });
        acknowledged.set(key, data);
      } catch (error) {
        assert.ok(error instanceof StorageUnavailable, String(error));
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, write));
  return acknowledged;
}

function assertHolds(store: Store, acknowledged: Map<string, string>): void {
  for (const [key, data] of acknowledged) assert.equal(dataOf(store.get(key)), data);
  const view = store.pin();
  assert.equal([...view.keys('things/')].length, acknowledged.size);
  view.release();
  assert.equal([...store.history('things', 0)].length, acknowledged.size);
}

async function putWhenThereIsSpace(store: Store, key: string): Promise<void> {
  for (;;) {
    try {
      await put(store, key, { data: 'after' });
      return;
    } catch (error) {
      assert.ok(error instanceof StorageUnavailable);
      await setTimeout(20);
    }
  }
}

test('on a full disk writes are rejected, nothing is lost, and writes continue once there is space', async (t) => {
  const disk = await smallDisk(t, 8);
  if (disk === undefined) return;
  const dir = join(disk, 'data');
  const ballast = join(disk, 'ballast');
  await writeFile(ballast, Buffer.alloc(4 * MEGABYTE));
  const store = LmdbStore.open({ dir, clock: systemClock, dialect: 'orch' });
  const held = store.pin();
  const heard: number[] = [];
  store.subscribe((changes) => heard.push(...changes.map(({ revision }) => revision)));

  const acknowledged = await fill(store, 'first');
  assert.ok(acknowledged.size > 10);
  assertHolds(store, acknowledged);
  assert.deepEqual([held.revision, [...held.range('')]], [0, []]);
  held.release();

  await rm(ballast);
  await putWhenThereIsSpace(store, 'things/recovered');
  acknowledged.set('things/recovered', 'after');
  for (const [key, data] of await fill(store, 'second')) acknowledged.set(key, data);
  assertHolds(store, acknowledged);
  assert.deepEqual(
    heard,
    Array.from({ length: store.revision }, (_, i) => i + 1),
  );
  await store.close();

  const { findings, objects } = await checkDirectory(dir);
  assert.deepEqual([findings, objects], [[], acknowledged.size]);
  const again = LmdbStore.open({ dir, clock: systemClock, dialect: 'orch' });
  assertHolds(again, acknowledged);
  await again.close();
});

test('creating a store on a full disk is an error', async (t) => {
  const disk = await smallDisk(t, 1);
  if (disk === undefined) return;
  const dir = join(disk, 'data');
  await mkdir(dir);
  await assert.rejects(writeFile(join(disk, 'ballast'), Buffer.alloc(2 * MEGABYTE)), { code: 'ENOSPC' });
  assert.throws(
    () => LmdbStore.open({ dir, clock: systemClock, dialect: 'orch' }),
    (error) => error instanceof DataDirectoryError && /no space left on device/i.test(error.message),
  );
});
