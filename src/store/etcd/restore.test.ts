// Tests of backup and restore with etcd.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { type Backup, verifyBackup } from '../backup/read-backup.ts';
import { writeBackup } from '../backup/write-backup.ts';
import { Compacted, StorageUnavailable } from '../store.ts';
import { dataOf, put, remove } from '../suite/objects.ts';
import { withEtcdSnapshot } from './backup.ts';
import { findEtcd, TestEtcd } from './etcd.fixture.ts';
import { EtcdStore } from './etcd-store.ts';
import { restoreEtcd } from './restore.ts';
import { EtcdClient } from './rpc/etcd-client.ts';

const found = findEtcd();

describe('backups of etcd', { skip: 'missing' in found && found.missing }, () => {
  let etcd: TestEtcd;
  let root: string;
  let next = 0;
  before(async () => {
    etcd = await TestEtcd.start('program' in found ? found.program : '');
    root = await mkdtemp(join(tmpdir(), 'orch-etcd-backup-'));
  });
  after(async () => {
    await etcd.stop();
    await rm(root, { recursive: true });
  });

  const newPath = () => join(root, `${next++}`);
  const newPlace = () => ({ servers: [etcd.url], prefix: `/${randomUUID()}` });
  type Place = ReturnType<typeof newPlace>;
  const open = (place: Place, dir = newPath()) =>
    EtcdStore.open({ ...place, dir, clock: systemClock, dialect: 'orch', compactionIntervalMs: 0 });
  const gently = { force: false, onProgress() {} };
  const byForce = { ...gently, force: true };

  async function backupOf(place: Place): Promise<Backup> {
    const file = newPath();
    await withEtcdSnapshot(place, (source) => writeBackup(file, source, () => {}));
    return verifyBackup(file, () => {});
  }

  /** A prefix with two objects, and a backup of it. */
  async function filled(): Promise<{ place: Place; store: EtcdStore; backup: Backup }> {
    const place = newPlace();
    const store = await open(place);
    await put(store, 'things/a', { data: '1', labels: { app: 'web' } });
    await put(store, 'things/b', { data: '2', expiresAt: systemClock.now() + 1e9 });
    return { place, store, backup: await backupOf(place) };
  }

  test('a backup is restored with revisions far above the previous ones, without history', async () => {
    const { store, backup } = await filled();
    assert.equal(backup.revision, store.revision);
    await store.close();
    const place = newPlace();
    const { revision, objects } = await restoreEtcd(backup, place, gently);
    assert.ok(objects === 2 && revision >= backup.revision + 1e9);
    const dir = newPath();
    let restored = await open(place, dir);
    const a = restored.get('things/a')!;
    assert.equal(dataOf(a), '1');
    assert.ok(a.revision > revision);
    assert.throws(() => restored.history('things', revision), Compacted);
    const change = await put(restored, 'things/a', { data: '3' }, a.revision);
    assert.ok(change.revision > a.revision);
    await assert.rejects(put(restored, 'things/a', {}, a.revision), /precondition failed/);
    // A restarted server resumes from its copy, and so does its history.
    await restored.close();
    restored = await open(place, dir);
    assert.deepEqual(
      [...restored.history('things', restored.compacted)].map((each) => each.revision),
      [change.revision],
    );
    const again = await backupOf(place);
    assert.deepEqual([again.revision, again.objects], [restored.revision, 2]);
    await restored.close();
  });

  test('existing data is left unchanged, unless forced', async () => {
    const { place, store, backup } = await filled();
    await put(store, 'things/c');
    await assert.rejects(restoreEtcd(backup, place, gently), /already contains objects.*--force/);
    assert.equal((await put(store, 'things/c')).type, 'updated');
    await store.close();
    await restoreEtcd(backup, place, byForce);
    const restored = await open(place);
    assert.equal(restored.get('things/c'), undefined);
    assert.equal(dataOf(restored.get('things/b')), '2');
    await restored.close();
  });

  test('a running server resyncs, notifies reset listeners, and rejects stale writes', async () => {
    const { place, store, backup } = await filled();
    await put(store, 'things/c');
    let resets = 0;
    store.onReset(() => resets++);
    const before = store.revision;
    const { revision } = await restoreEtcd(backup, place, byForce);
    // Whether or not the server has noticed the restore, its write targets a state that no longer exists.
    await assert.rejects(put(store, 'things/c', { data: 'stale' }, before));
    while (resets === 0) await store.head().catch((error) => assert.ok(error instanceof StorageUnavailable));
    assert.ok((await store.head()) > revision);
    assert.equal(store.get('things/c'), undefined);
    assert.throws(() => store.history('things', before), Compacted);
    assert.ok((await put(store, 'things/a', { data: 'new' })).revision > revision);
    await remove(store, 'things/a');
    await store.close();
  });

  test('a server that was down meanwhile does not resume from its copy', async () => {
    const { place, store, backup } = await filled();
    await store.close();
    const dir = newPath();
    const first = await open(place, dir);
    const before = first.revision;
    await first.close();
    await restoreEtcd(backup, place, byForce);
    const second = await open(place, dir);
    assert.throws(() => second.history('things', before), Compacted);
    assert.equal(dataOf(second.get('things/a')), '1');
    await second.close();
  });

  test('an aborted restore cannot be used by any server until it is repeated', async () => {
    const { place, store, backup } = await filled();
    const changed = { ...backup, revision: backup.revision - 1 };
    await assert.rejects(restoreEtcd(changed, place, byForce), /did not finish.*is unusable: run it again/);
    await assert.rejects(open(place), /is being restored to .* run it again with --force/);
    await assert.rejects(store.head(), StorageUnavailable);
    await assert.rejects(put(store, 'things/z'), StorageUnavailable);
    await assert.rejects(backupOf(place), /is being restored/);
    await assert.rejects(restoreEtcd(backup, place, gently), /did not finish; add --force/);
    await restoreEtcd(backup, place, byForce);
    while (dataOf(store.get('things/a')) === undefined || store.compacted < 1e9)
      await store.head().catch(() => {});
    await put(store, 'things/z');
    await store.close();
  });

  test('of two concurrent restores only one continues', async () => {
    const { place, store, backup } = await filled();
    await store.close();
    const both = await Promise.allSettled([
      restoreEtcd(backup, place, byForce),
      restoreEtcd(backup, place, byForce),
    ]);
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    await (await open(place)).close();
  });

  test('an object that etcd would reject is detected before anything is changed', async () => {
    const { place, store, backup } = await filled();
    const huge = { ...backup, largest: { key: 'things/huge', bytes: 20 * 1024 * 1024 } };
    await assert.rejects(restoreEtcd(huge, place, byForce), /rejects things\/huge.*--max-request-bytes/);
    assert.equal((await put(store, 'things/a')).type, 'updated');
    await store.close();
  });

  test('a prefix without a marker cannot be backed up', async () => {
    await assert.rejects(backupOf(newPlace()), /no server has used/);
    const place = newPlace();
    const client = new EtcdClient(place);
    await client.txn({ key: `${place.prefix}.orch`, expect: undefined, value: Buffer.from('mine') });
    client.close();
    await assert.rejects(backupOf(place), /was not written by Orch/);
  });
});
