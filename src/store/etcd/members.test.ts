// Tests of a three-member etcd: member loss, stalled members, foreign transactions.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { type Change, PreconditionFailed, StorageUnavailable } from '../store.ts';
import { dataOf, put, remove } from '../suite/objects.ts';
import { findEtcd, TestEtcd } from './etcd.fixture.ts';
import { EtcdStore, type EtcdStoreOptions } from './etcd-store.ts';

const found = findEtcd();

describe('EtcdStore on three members', { skip: 'missing' in found && found.missing }, () => {
  let members: TestEtcd[] = [];
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'orch-members-'));
    members = await TestEtcd.startMembers('program' in found ? found.program : '', 3);
  });
  after(async () => {
    await Promise.all(members.map((member) => member.stop()));
    await rm(root, { recursive: true });
  });

  const open = (name: string, more: Partial<EtcdStoreOptions> = {}) =>
    EtcdStore.open({
      dir: join(root, name),
      clock: systemClock,
      dialect: 'orch',
      servers: members.map(({ url }) => url),
      prefix: '/registry',
      ...more,
    });

  test('any member may be lost, the leader too: no acknowledged write is lost, and each is delivered once', async () => {
    const stores = [await open('a'), await open('b')] as const;
    const heard: [Change[], Change[]] = [[], []];
    stores.forEach((store, i) => {
      store.subscribe((changes) => heard[i]!.push(...changes));
    });
    const acknowledged: Change[] = [];
    let isOver = false;
    const write = async (store: EtcdStore, key: string) => {
      for (let i = 0; !isOver; i++) {
        try {
          acknowledged.push(await put(store, key, { data: `${i}` }));
        } catch (error) {
          assert.ok(error instanceof StorageUnavailable, String(error));
        }
      }
    };
    const writers = stores.map((store, i) => write(store, `things/${i}`));
    for (const member of members) {
      await member.kill();
      const before = acknowledged.length;
      // The remaining members elect a leader and accept writes.
      while (acknowledged.length < before + 20) await new Promise((resolve) => setTimeout(resolve, 10));
      await member.launch();
    }
    isOver = true;
    await Promise.all(writers);
    const heads = await Promise.all(stores.map((store) => store.head()));
    assert.equal(heads[0], heads[1]);
    for (const [i, store] of stores.entries()) {
      const revisions = heard[i]!.map(({ revision }) => revision);
      assert.deepEqual(
        revisions,
        [...new Set(revisions)].sort((x, y) => x - y),
      );
      const known = new Map(heard[i]!.map((change) => [change.revision, change]));
      for (const change of acknowledged) {
        assert.equal(dataOf(known.get(change.revision)?.object), dataOf(change.object));
      }
      for (const key of ['things/0', 'things/1'])
        assert.deepEqual(store.get(key)?.json, stores[0].get(key)?.json);
    }
    await Promise.all(stores.map((store) => store.close()));
  });

  test('a stalled member is abandoned for the others, the leader too', async () => {
    const store = await open('still', { timeoutMs: 1_000 });
    try {
      for (const member of members) {
        await written(store, 'before');
        member.pause();
        await written(store, 'meanwhile').finally(() => member.resume());
        await written(store, 'after');
      }
    } finally {
      await store.close();
    }
  });

  test('a foreign transaction on several keys rebuilds the copy and notifies reset listeners', async () => {
    const store = await open('c');
    await put(store, 'others/a', { data: '1' });
    await put(store, 'others/b', { data: '2' });
    await put(store, 'others/c', { data: '3' });
    let resets = 0;
    store.onReset(() => resets++);
    let told = 0;
    store.subscribe((changes) => {
      told += changes.length;
    });
    await deleteRange(members[0]!.url, '/registry/others/a', '/registry/others/c');
    while (resets === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(told, 0, 'a revision is told whole or not at all');
    assert.deepEqual(
      ['a', 'b', 'c'].map((name) => dataOf(store.get(`others/${name}`))),
      [undefined, undefined, '3'],
    );
    await assert.rejects(remove(store, 'others/a'), PreconditionFailed);
    await remove(store, 'others/c');
    await store.close();
  });
});

/** Resolves once a write of this value has been acknowledged. */
async function written(store: EtcdStore, data: string): Promise<void> {
  for (;;) {
    try {
      const { revision, object } = await put(store, 'things/still', { data });
      assert.equal(dataOf(object), data);
      // A write whose response was lost may still be applied by a member that resumes.
      assert.ok(store.get('things/still')!.revision >= revision);
      return;
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
    }
  }
}

/** Like `etcdctl del KEY END`, through etcd's JSON gateway. */
async function deleteRange(url: string, key: string, end: string): Promise<void> {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const response = await fetch(`${url}/v3/kv/deleterange`, {
    method: 'POST',
    body: JSON.stringify({ key: base64(key), range_end: base64(end) }),
  });
  assert.equal(response.status, 200);
}
