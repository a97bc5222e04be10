import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultOptions } from '../../../src/server/options.ts';
import { servingThreadCount } from '../../../src/server/threads/thread-count.ts';
import { findEtcd } from '../../../src/store/etcd/etcd.fixture.ts';
import { Cleanup } from './cleanup.ts';
import type { Storage } from './plan.ts';
import { run } from './run.ts';

const hasThreads = servingThreadCount({ ...defaultOptions, servingThreads: 'auto' }, {}) > 1;
const threadsMissing = !hasThreads && 'this machine has one processor, or its threads cannot share a port';
const found = findEtcd();
const etcd = 'program' in found ? found.program : '';

/** `npm run test:faults` in short: one fault of each type. */
async function prove(storage: Storage, faults: string, ms: number, servingThreads = 1): Promise<string> {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const { violations, record } = await run({
    storage,
    seed: 1,
    ms,
    faults,
    etcd,
    servingThreads,
    say,
    cleanup: new Cleanup(),
  });
  assert.deepEqual(violations, [], said.join('\n'));
  const done = record.writes.filter(({ outcome }) => outcome === 'done').length;
  assert.ok(done > 20, `only ${done} writes were done`);
  return `${done} writes done, ${record.lists.length} lists`;
}

describe('nothing is lost, repeated or reordered', () => {
  test('by one server that is killed and paused and whose clock is moved', async (t) => {
    t.diagnostic(await prove('lmdb', 'kill,pause,clock,stop', 12_000));
  });

  test('by one server with several serving threads', { skip: threadsMissing }, async (t) => {
    t.diagnostic(await prove('lmdb', 'kill,pause,stop', 10_000, 3));
  });

  test('by three servers on three etcd members', {
    skip: 'missing' in found && found.missing,
  }, async (t) => {
    t.diagnostic(await prove('etcd', 'kill,leader-kill,cut,compact,member-pause', 15_000));
  });
});
