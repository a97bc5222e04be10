/**
 * A process that waits for a line on standard input, then writes to the store in the given directory from many concurrent
 * writers, until it is killed, while it builds an index. It prints a line for every acknowledged write: revision, type,
 * key and data.
 */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { systemClock } from '../../src/base/clock.ts';
import { LmdbStore } from '../../src/store/lmdb/lmdb-store.ts';
import { put, remove } from '../../src/store/suite/objects.ts';

const [dir, run] = process.argv.slice(2);
await once(process.stdin, 'data');
const store = LmdbStore.open({ dir: dir!, clock: systemClock, dialect: 'orch' });
const bulk = 'x'.repeat(500);
// An index is being built when the process is killed.
const name = `shard-${Number(run) % 4}`;
const requirements = [{ kind: 'label', name, values: ['0'] } as const];
store.reportScan({ prefix: 'things', requirements, examined: 1_000_000, returned: 0 });

async function write(writer: number): Promise<never> {
  for (let step = 0; ; step++) {
    // A few keys are shared by all writers, so that writes depend on each other before they are on disk.
    const key = step % 3 === 0 ? `things/shared-${step % 5}` : `things/${run}/${writer}-${step % 40}`;
    const data = `${run} ${writer} ${step} ${bulk}`;
    const isDeletion = step % 7 === 6 && key.includes(`/${run}/`) && store.get(key);
    const change = await (isDeletion
      ? remove(store, key)
      : put(store, key, { data, labels: { [name]: String(step % 5) } }));
    writeSync(1, `${change.revision}\t${change.type}\t${key}\t${isDeletion ? '' : data}\n`);
  }
}

await Promise.all(Array.from({ length: 32 }, (_, writer) => write(writer)));
