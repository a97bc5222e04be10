import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../clock.ts';
import { StorageUnavailable } from '../store.ts';
import { dataOf, put } from '../suite/objects.ts';
import { findEtcd, TestEtcd } from './etcd.fixture.ts';
import { EtcdStore } from './etcd-store.ts';

const found = findEtcd();

test('etcd put back to an earlier state is noticed, read anew, and told to those who follow', {
  skip: 'missing' in found && found.missing,
}, async () => {
  const etcd = await TestEtcd.start('program' in found ? found.program : '');
  const dir = await mkdtemp(join(tmpdir(), 'orch-restored-'));
  const options = { dir, clock: systemClock, dialect: 'orch', servers: [etcd.url], prefix: '/registry' };
  const store = await EtcdStore.open(options);
  try {
    await put(store, 'things/a', { data: 'kept' });
    await etcd.kill();
    const putBack = await etcd.keepData();
    await etcd.begin();
    await store.head();
    for (let i = 0; i < 10; i++) await put(store, 'things/a', { data: 'undone' });
    await etcd.kill();
    await putBack();
    await etcd.begin();
    let resets = 0;
    store.onReset(() => resets++);
    while (resets === 0) {
      await store.head().catch((error: unknown) => assert.ok(error instanceof StorageUnavailable));
    }
    assert.equal(dataOf(store.get('things/a')), 'kept');
    await put(store, 'things/a', { data: 'new' });
    assert.equal(dataOf(store.get('things/a')), 'new');
  } finally {
    await store.close();
    await etcd.stop();
    await rm(dir, { recursive: true });
  }
});
