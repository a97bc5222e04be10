/**
 * A process that writes 90 objects to the given directory, continues after rejected writes, and prints the others. With
 * `threads`, the writes go through the store of another thread's kind, which has the file open too.
 */
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { LmdbStore } from '../../src/store/lmdb/lmdb-store.ts';
import { StorageUnavailable, type Store } from '../../src/store/store.ts';
import { put } from '../../src/store/suite/objects.ts';
import { StoreHost } from '../../src/store/threads/store-host.ts';
import { ThreadStore } from '../../src/store/threads/thread-store.ts';

const [, , dir = '', mode] = process.argv;
const hosted = LmdbStore.open({ dir, clock: systemClock, dialect: 'orch', isShared: mode === 'threads' });
const connected = mode === 'threads' ? new StoreHost(hosted, dir).connect() : undefined;
const store: Store = connected ? await ThreadStore.open(connected.connection, 100) : hosted;
for (let round = 0; round < 30; round++) {
  const keys = [0, 1, 2].map((i) => `things/${round}-${i}`);
  const results = await Promise.allSettled(keys.map((key) => put(store, key)));
  for (const [i, result] of results.entries()) {
    if (result.status === 'fulfilled') console.log(keys[i]);
    else if (!(result.reason instanceof StorageUnavailable)) throw result.reason;
    if (result.status === 'fulfilled' && !store.get(keys[i]!)) throw new Error(`${keys[i]} is not visible`);
  }
  // After an I/O error the store rejects writes for a while.
  if (results.some(({ status }) => status === 'rejected')) await setTimeout(120);
}
console.log('end');
if (connected) await store.close();
connected?.close();
await hosted.close();
