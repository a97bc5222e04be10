/** A process that writes 90 objects to the given directory, continues after rejected writes, and prints the others. */
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { LmdbStore } from '../../src/store/lmdb/lmdb-store.ts';
import { StorageUnavailable } from '../../src/store/store.ts';
import { put } from '../../src/store/suite/objects.ts';

const store = LmdbStore.open({ dir: process.argv[2]!, clock: systemClock, dialect: 'orch' });
for (let round = 0; round < 30; round++) {
  const keys = [0, 1, 2].map((i) => `things/${round}-${i}`);
  const results = await Promise.allSettled(keys.map((key) => put(store, key)));
  for (const [i, result] of results.entries()) {
    if (result.status === 'fulfilled') console.log(keys[i]);
    else if (!(result.reason instanceof StorageUnavailable)) throw result.reason;
  }
  // After an I/O error the store rejects writes for a while.
  if (results.some(({ status }) => status === 'rejected')) await setTimeout(120);
}
console.log('end');
await store.close();
