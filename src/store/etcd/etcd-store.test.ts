// The conformance suite on a real etcd.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { suite } from '../suite.ts';
import { findEtcd, TestEtcd } from './etcd.fixture.ts';
import { EtcdStore } from './etcd-store.ts';

const found = findEtcd();

describe('on a real etcd', { skip: 'missing' in found && found.missing }, () => {
  let etcd: TestEtcd;
  before(async () => {
    etcd = await TestEtcd.start('program' in found ? found.program : '');
  });
  after(() => etcd.stop());

  suite(
    'EtcdStore',
    async (clock) => {
      const dir = await mkdtemp(join(tmpdir(), 'orch-copy-'));
      const options = {
        dir,
        clock,
        dialect: 'orch',
        servers: [etcd.url],
        prefix: `/${randomUUID()}`,
        compactionIntervalMs: 0,
        timeoutMs: 20_000,
      };
      let store = await EtcdStore.open(options);
      return {
        store,
        async reopen() {
          await store.close();
          store = await EtcdStore.open(options);
          return store;
        },
        async dispose() {
          await store.close();
          await rm(dir, { recursive: true });
        },
      };
    },
    { ordersAllKeys: false },
  );
});
