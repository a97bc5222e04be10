// The conformance suite on the LMDB backend.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from '../suite.ts';
import { LmdbStore } from './lmdb-store.ts';

suite('LmdbStore', async (clock) => {
  const dir = await mkdtemp(join(tmpdir(), 'orch-store-'));
  let store = LmdbStore.open({ dir, clock, dialect: 'orch' });
  return {
    store,
    async reopen() {
      await store.close();
      store = LmdbStore.open({ dir, clock, dialect: 'orch' });
      return store;
    },
    async dispose() {
      await store.close();
      await rm(dir, { recursive: true });
    },
  };
});
