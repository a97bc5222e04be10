import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { checkDirectory } from '../../src/store/lmdb/check.ts';
import { LmdbStore } from '../../src/store/lmdb/lmdb-store.ts';
import { dataOf } from '../../src/store/suite/objects.ts';

const RUNS = 20;
const loadScript = join(import.meta.dirname, 'write-load.ts');

type Load = ReturnType<typeof startLoad>;

/** A process that starts writing on request; starting it takes longer than the rest of the test. */
function startLoad(dir: string, run: number) {
  return spawn(process.execPath, [loadScript, dir, String(run)], { stdio: ['pipe', 'pipe', 'inherit'] });
}

/** Lets the process write, kills it at a random moment, and returns the acknowledged writes. */
async function writeAndKill(load: Load): Promise<string[]> {
  const closed = once(load, 'close');
  let output = '';
  load.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  load.stdin.write('go\n');
  await once(load.stdout, 'data');
  await setTimeout(Math.random() * 60);
  load.kill('SIGKILL');
  const [code, signal] = await closed;
  assert.deepEqual([code, signal], [null, 'SIGKILL']);
  // The last line may be incomplete.
  return output.split('\n').slice(0, -1);
}

test(`a process killed ${RUNS} times while writing loses no acknowledged write`, async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'orch-crash-'));
  t.after(() => rm(dir, { recursive: true }));
  const acknowledged: string[] = [];
  const loads = [startLoad(dir, 0)];
  t.after(() => loads.map((load) => load.kill('SIGKILL')));
  for (let run = 0; run < RUNS; run++) {
    loads.push(startLoad(dir, run + 1));
    acknowledged.push(...(await writeAndKill(loads[run]!)));
    if (run % 5 === 4) assert.deepEqual((await checkDirectory(dir)).findings, []);
  }
  assert.ok(acknowledged.length >= RUNS);

  const store = LmdbStore.open({ dir, clock: systemClock, dialect: 'orch' });
  const history = new Map([...store.history('things', 0)].map((change) => [change.revision, change]));
  assert.equal(history.size, store.revision);
  for (const line of acknowledged) {
    const [revision, type, key, data] = line.split('\t');
    const change = history.get(Number(revision));
    assert.deepEqual([change?.type, change?.key], [type, key]);
    if (type !== 'deleted') assert.equal(dataOf(change?.object), data);
  }
  await store.close();
  t.diagnostic(`${acknowledged.length} writes acknowledged, ${history.size} made`);
});
