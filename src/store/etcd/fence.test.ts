// Tests of fences on a real etcd: whoever raises a fence shuts out the previous writer.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { type Fence, FencedOff, PreconditionFailed } from '../store.ts';
import { draftOf } from '../suite/objects.ts';
import { findEtcd, TestEtcd } from './etcd.fixture.ts';
import { EtcdStore } from './etcd-store.ts';

const found = findEtcd();

describe('a fence on a real etcd', { skip: 'missing' in found && found.missing }, () => {
  let etcd: TestEtcd;
  let folder: string;
  const stores: EtcdStore[] = [];
  before(async () => {
    etcd = await TestEtcd.start('program' in found ? found.program : '');
    folder = await mkdtemp(join(tmpdir(), 'orch-fence-'));
    for (const name of ['first', 'second']) {
      const options = { clock: systemClock, dialect: 'orch', servers: [etcd.url], compactionIntervalMs: 0 };
      stores.push(
        await EtcdStore.open({ ...options, dir: join(folder, name), prefix: '/fence', timeoutMs: 20_000 }),
      );
    }
  });
  after(async () => {
    for (const store of stores) await store.close();
    await etcd.stop();
    await rm(folder, { recursive: true });
  });

  const commit = (store: EtcdStore, key: string, fence?: Fence) =>
    store.commit({ prefix: 'things', key: `things/${key}`, draft: draftOf(), ...(fence && { fence }) });

  test('admits only writes that name its last raise, and those without a fence', async () => {
    const [first, second] = stores as [EtcdStore, EtcdStore];
    const { revision } = await commit(first, 'lease', { name: 'leader', raisedAt: 'now' });
    const old = { name: 'leader', raisedAt: revision };
    await commit(first, 'a', old);
    await commit(first, 'a', old);
    const taken = await commit(second, 'lease', { name: 'leader', raisedAt: 'now' });
    await assert.rejects(commit(first, 'b', old), FencedOff);
    await assert.rejects(
      first.commit({ prefix: 'things', key: 'things/a', draft: null, fence: old }),
      FencedOff,
    );
    await commit(second, 'c', { name: 'leader', raisedAt: taken.revision });
    await commit(first, 'd');
    await assert.rejects(commit(first, 'e', { name: 'other', raisedAt: revision }), FencedOff);
    await first.head();
    const keys = ['lease', 'a', 'b', 'c', 'd', 'e'].filter((key) => first.get(`things/${key}`));
    assert.deepEqual(keys, ['lease', 'a', 'c', 'd']);
  });

  test('is compared beside the revision of the object and the conflict scope', async () => {
    const [first, second] = stores as [EtcdStore, EtcdStore];
    const { revision } = await commit(first, 'lease', { name: 'both', raisedAt: 'now' });
    const fence = { name: 'both', raisedAt: revision };
    const stale = { prefix: 'things', key: 'things/lease', draft: draftOf(), expectedRevision: 1 };
    await assert.rejects(first.commit({ ...stale, fence }), PreconditionFailed);
    const conflictScope = { name: 'pool', asOf: first.revision };
    await first.commit({ ...stale, expectedRevision: revision, conflictScope, fence });
    await commit(second, 'lease', { name: 'both', raisedAt: 'now' });
    await assert.rejects(first.commit({ ...stale, conflictScope, fence }), FencedOff);
  });
});
