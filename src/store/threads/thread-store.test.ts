// The conformance suite on the store of a serving thread, beside its host.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { MovableClock } from '../../base/clock.ts';
import { candidatesOf, requestIndex } from '../lmdb/indexes.fixture.ts';
import { LmdbStore } from '../lmdb/lmdb-store.ts';
import { TransactionConflict } from '../store.ts';
import { draftOf, put } from '../suite/objects.ts';
import { suite } from '../suite.ts';
import { AcknowledgedRevision } from './acknowledged.ts';
import { StoreHost } from './store-host.ts';
import { ThreadStore } from './thread-store.ts';

const maxSnapshots = 100;

interface Threads {
  readonly first: ThreadStore;
  readonly second: ThreadStore;
  readonly hosted: LmdbStore;
  close(): Promise<void>;
}

async function openThreads(dir: string, clock: MovableClock): Promise<Threads> {
  const hosted = LmdbStore.open({ dir, clock, dialect: 'orch', isShared: true });
  const host = new StoreHost(hosted, dir);
  const connections = [host.connect(), host.connect()];
  const [first, second] = await Promise.all(
    connections.map(({ connection }) => ThreadStore.open(connection, maxSnapshots)),
  );
  return {
    first: first!,
    second: second!,
    hosted,
    async close() {
      await first!.close();
      await second!.close();
      for (const { close } of connections) close();
      host.close();
      await hosted.close();
    },
  };
}

suite('ThreadStore', async (clock) => {
  const dir = await mkdtemp(join(tmpdir(), 'orch-store-'));
  let threads = await openThreads(dir, clock);
  return {
    store: threads.first,
    async reopen() {
      await threads.close();
      threads = await openThreads(dir, clock);
      return threads.first;
    },
    async dispose() {
      await threads.close();
      await rm(dir, { recursive: true });
    },
  };
});

/** Runs a test with two threads on one file. */
function withThreads(name: string, body: (threads: Threads) => Promise<void>): void {
  test(name, async () => {
    const dir = await mkdtemp(join(tmpdir(), 'orch-store-'));
    const threads = await openThreads(dir, new MovableClock());
    try {
      await body(threads);
    } finally {
      await threads.close();
      await rm(dir, { recursive: true });
    }
  });
}

withThreads(
  'a thread that catches up sees what others have acknowledged',
  async ({ first, second, hosted }) => {
    const { revision } = await first.commit({ prefix: 'pods', key: 'pods/a', draft: draftOf() });
    assert.equal(hosted.revision, revision);
    await second.catchUp();
    assert.equal(second.get('pods/a')?.revision, revision);
    await hosted.commit({ prefix: 'pods', key: 'pods/b', draft: draftOf() });
    await Promise.all([first.catchUp(), second.catchUp()]);
    assert.ok(first.get('pods/b') && second.get('pods/b'));
  },
);

withThreads('listeners of every thread receive every change', async ({ first, second, hosted }) => {
  const received = { first: [] as string[], second: [] as string[] };
  first.subscribe((changes) => received.first.push(...changes.map(({ key }) => key)));
  second.subscribe((changes) => received.second.push(...changes.map(({ key }) => key)), ['pods']);
  const keys = Array.from({ length: 50 }, (_, index) => `pods/${index}`);
  await Promise.all(
    keys.map((key, index) =>
      [first, second, hosted][index % 3]!.commit({ prefix: 'pods', key, draft: draftOf() }),
    ),
  );
  await Promise.all([first.catchUp(), second.catchUp()]);
  assert.deepEqual([...received.first].sort(), [...keys].sort());
  assert.deepEqual(received.second, received.first);
});

withThreads('one write of a conflict scope wins', async ({ first, second }) => {
  const asOf = first.revision;
  const commit = (store: ThreadStore, key: string) =>
    store.commit({ prefix: 'services', key, draft: draftOf(), conflictScope: { name: 'node-ports', asOf } });
  const results = await Promise.allSettled([commit(first, 'services/a'), commit(second, 'services/b')]);
  const lost = results.find((result) => result.status === 'rejected');
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.ok(lost?.reason instanceof TransactionConflict);
});

withThreads(
  'a list on one thread has an index built, which every thread reads',
  async ({ first, second }) => {
    for (const app of ['x', 'y']) await put(first, `things/${app}`, { labels: { app } });
    const target = { kind: 'label', name: 'app' } as const;
    requestIndex(second, target);
    // A step of the builder has no revision: threads see it with the next write, or after a second.
    await untilAsync(async () => {
      await put(first, 'things/x', { labels: { app: 'x' } });
      await second.catchUp();
      return candidatesOf(second, target, 'x') !== undefined;
    });
    await put(second, 'things/y', { labels: { app: 'x' } });
    assert.deepEqual(candidatesOf(second, target, 'x'), ['things/x', 'things/y']);
    await first.catchUp();
    assert.deepEqual(candidatesOf(first, target, 'x'), ['things/x', 'things/y']);
    assert.deepEqual(candidatesOf(first, target, 'y'), []);
  },
);

async function untilAsync(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition()));
}

test('a thread that has missed compacted history resets', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'orch-store-'));
  const hosted = LmdbStore.open({ dir, clock: new MovableClock(), dialect: 'orch', isShared: true });
  const host = new StoreHost(hosted, dir);
  const { connection, close } = host.connect();
  // Set later, as if the thread had been busy until then.
  const acknowledged = new AcknowledgedRevision();
  const store = await ThreadStore.open({ ...connection, acknowledged: acknowledged.buffer }, maxSnapshots);
  let resets = 0;
  store.onReset(() => resets++);
  for (const key of ['pods/a', 'pods/b']) await hosted.commit({ prefix: 'pods', key, draft: draftOf() });
  await hosted.compact(hosted.revision);
  assert.equal(store.get('pods/b'), undefined);
  acknowledged.value = hosted.revision;
  await store.catchUp();
  assert.equal(resets, 1);
  assert.ok(store.get('pods/b'));
  await store.close();
  close();
  host.close();
  await hosted.close();
  await rm(dir, { recursive: true });
});
