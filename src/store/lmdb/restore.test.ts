// Tests of restoring a backup into a data directory.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { MovableClock } from '../../base/clock.ts';
import { type Backup, verifyBackup } from '../backup/read-backup.ts';
import { writeBackup } from '../backup/write-backup.ts';
import { Compacted } from '../store.ts';
import { dataOf, put, remove } from '../suite/objects.ts';
import { withDirectorySnapshot } from './backup.ts';
import { checkDirectory } from './check.ts';
import { DATA_FILE } from './directory.ts';
import { LmdbStore } from './lmdb-store.ts';
import { restoreDirectory } from './restore.ts';

let root: string;
let next = 0;
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'orch-restore-'));
});
after(() => rm(root, { recursive: true }));

const clock = new MovableClock();
const newPath = () => join(root, `${next++}`);
const open = (dir: string) => LmdbStore.open({ dir, clock, dialect: 'orch' });
const gently = { force: false, onProgress() {} };
const byForce = { ...gently, force: true };

async function backupOf(dir: string): Promise<Backup> {
  const file = newPath();
  await withDirectorySnapshot(dir, (source) => writeBackup(file, source, () => {}));
  return verifyBackup(file, () => {});
}

/** A store at revision 5, and a backup of it. */
async function filled(): Promise<{ dir: string; store: LmdbStore; backup: Backup }> {
  const dir = newPath();
  const store = open(dir);
  await put(store, 'things/a', { data: '1', labels: { app: 'web' } });
  await put(store, 'things/b', { data: '2' });
  await put(store, 'events/e', { expiresAt: clock.now() + 60_000 });
  await put(store, 'things/c');
  await remove(store, 'things/c');
  return { dir, store, backup: await backupOf(dir) };
}

test('a restored directory has the objects with their revisions, and no history', async () => {
  const { store, backup } = await filled();
  await store.close();
  assert.equal(backup.revision, 5);
  const dir = newPath();
  const { revision, objects } = await restoreDirectory(backup, dir, gently);
  assert.deepEqual([revision, objects], [1_000_000_005, 3]);
  const { findings, ...checked } = await checkDirectory(dir);
  assert.deepEqual(findings, []);
  assert.deepEqual(checked, { revision, compacted: revision, objects: 3, changes: 0 });
  const restored = open(dir);
  assert.deepEqual([restored.get('things/a')?.revision, dataOf(restored.get('things/a'))], [1, '1']);
  assert.throws(() => restored.history('things', 5), Compacted);
  assert.throws(() => restored.history('things', revision - 1), Compacted);
  assert.equal((await put(restored, 'things/a', { data: '3' }, 1)).revision, revision + 1);
  clock.advance(61_000);
  while (restored.get('events/e')) await new Promise((resolve) => setImmediate(resolve));
  await restored.close();
});

test('revisions assigned after the backup, or after another restore, are not reused', async () => {
  const { dir, store, backup } = await filled();
  for (let i = 0; i < 10; i++) await put(store, 'things/a', { data: 'lost' });
  await store.close();
  const first = await restoreDirectory(backup, dir, byForce);
  assert.equal(first.revision, 1_000_000_015);
  const again = await restoreDirectory(backup, dir, byForce);
  assert.equal(again.revision, 2_000_000_015);
});

test('a directory that is in use, or has data, is left unchanged', async () => {
  const { dir, store, backup } = await filled();
  await assert.rejects(restoreDirectory(backup, dir, byForce), /is in use by process/);
  await put(store, 'things/more');
  await store.close();
  await assert.rejects(restoreDirectory(backup, dir, gently), /already contains data.*--force/);
  const opened = open(dir);
  assert.equal(opened.revision, 6);
  await opened.close();
});

test('an unreadable data file is replaced with --force', async () => {
  const { store, backup } = await filled();
  await store.close();
  const dir = newPath();
  await mkdir(dir);
  await writeFile(join(dir, DATA_FILE), 'nonsense');
  await restoreDirectory(backup, dir, byForce);
  assert.deepEqual((await checkDirectory(dir)).findings, []);
});

test('a failed restore leaves the previous data, or nothing usable', async () => {
  const { dir, store, backup } = await filled();
  await store.close();
  const changed = { ...backup, revision: 4 };
  await assert.rejects(restoreDirectory(changed, dir, byForce), /changed after it was verified/);
  const opened = open(dir);
  assert.equal(opened.revision, 5);
  await opened.close();
  const fresh = newPath();
  await assert.rejects(restoreDirectory(changed, fresh, gently));
  assert.ok(!existsSync(join(fresh, DATA_FILE)));
  assert.throws(() => open(fresh), /earlier restore to .* did not finish; run it again/);
  await restoreDirectory(backup, fresh, gently);
  open(fresh).close();
});

test('a backup is a consistent snapshot under concurrent writes', async () => {
  const { dir, store } = await filled();
  const writing = Promise.all(
    Array.from({ length: 500 }, (_, i) => put(store, `things/${i}`, { data: `${i}` })),
  );
  const backup = await backupOf(dir);
  await writing;
  // Each write created one object.
  assert.equal(backup.objects, 3 + backup.revision - 5);
  await store.close();
});
