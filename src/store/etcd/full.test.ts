// Test of an etcd that has exceeded its space quota.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { StorageFull } from '../store.ts';
import { dataOf, put } from '../suite/objects.ts';
import { findEtcd, TestEtcd } from './etcd.fixture.ts';
import { EtcdStore } from './etcd-store.ts';

const found = findEtcd();

test('a full etcd rejects writes with advice; reads continue', {
  skip: 'missing' in found && found.missing,
}, async () => {
  const program = 'program' in found ? found.program : '';
  const etcd = await TestEtcd.start(program, undefined, { 'quota-backend-bytes': '4000000' });
  const dir = await mkdtemp(join(tmpdir(), 'orch-full-'));
  const options = { dir, clock: systemClock, dialect: 'orch', servers: [etcd.url], prefix: '/registry' };
  const store = await EtcdStore.open(options);
  try {
    await put(store, 'things/kept', { data: 'kept' });
    const fill = async () => {
      for (let i = 0; i < 100; i++) await put(store, `things/${i}`, { data: 'x'.repeat(500_000) });
    };
    await assert.rejects(fill(), (error) => {
      assert.ok(error instanceof StorageFull);
      assert.match(error.message, /^etcd is full \(.*\): .* etcdctl alarm disarm$/);
      return true;
    });
    assert.match(store.stats().outOfSpace ?? '', /^etcd is full/);
    await store.head();
    assert.equal(dataOf(store.get('things/kept')), 'kept');
  } finally {
    await store.close();
    await etcd.stop();
    await rm(dir, { recursive: true });
  }
});
