// Tests of building and dropping indexes: several steps in one transaction, failed steps, bounds.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { MovableClock, systemClock } from '../../base/clock.ts';
import { ChangeListeners } from '../change-listeners.ts';
import { draftOf, put, remove, until, writeTo } from '../suite/objects.ts';
import { checkDirectory } from './check.ts';
import { LmdbEnvironment } from './environment.ts';
import { GroupCommit } from './group-commit.ts';
import { IndexBuilder } from './index-builder.ts';
import { type IndexDefinition, readCatalogue } from './index-catalogue.ts';
import { candidatesOf, requestIndex } from './indexes.fixture.ts';
import { LmdbStore } from './lmdb-store.ts';
import { type IndexStep, WriterIndexes } from './writer-indexes.ts';

async function withDirectory(body: (dir: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'orch-index-'));
  try {
    await body(dir);
  } finally {
    await rm(dir, { recursive: true });
  }
}

const scanOf = (name: string) => ({
  prefix: 'things',
  requirements: [{ kind: 'label', name, values: ['x'] } as const],
  examined: 1_000_000,
  returned: 10,
});

const phasesOf = (definitions: readonly IndexDefinition[]) =>
  definitions.map(({ name, phase }) => `${name} ${phase}`);

/** A group commit and a builder without a store around them. */
function openBuilder(dir: string, clock = systemClock) {
  const environment = LmdbEnvironment.open(dir, 'orch');
  const indexes = new WriterIndexes(environment.snapshot);
  const queue = new GroupCommit(environment, clock, new ChangeListeners(), () => {}, indexes);
  const space = { isEnough: true };
  const builder = new IndexBuilder({
    indexes,
    queue,
    clock,
    snapshot: () => environment.snapshot,
    hasSpace: () => space.isEnough,
    collectedEntries: 200,
  });
  const close = async () => {
    builder.stop();
    await queue.close();
    await environment.close();
  };
  return { environment, indexes, queue, builder, space, close };
}

test('several index steps share one transaction, and a failed one has no effect', async (t) => {
  await withDirectory(async (dir) => {
    const { environment, indexes, queue, close } = openBuilder(dir);
    const adding = (id: number): IndexStep => ({
      write: (_tables, _snapshot, definitions) => [
        ...definitions,
        { id, prefix: 'things', kind: 'label', name: `l${id}`, phase: 'ready', position: '', bytes: 0 },
      ],
    });
    await Promise.all([
      queue.runIndexStep(adding(1), 0),
      queue.commit(writeTo('things/a')),
      queue.runIndexStep(adding(2), 0),
    ]);
    const expected = ['l1 ready', 'l2 ready'];
    assert.deepEqual(phasesOf(indexes.definitions), expected);
    assert.deepEqual(phasesOf(readCatalogue(environment.snapshot)), expected);
    t.mock.method(environment, 'write', () => Promise.reject(new Error('EIO')), { times: 1 });
    await assert.rejects(queue.runIndexStep(adding(3), 0), /EIO/);
    assert.deepEqual(phasesOf(indexes.definitions), expected);
    await close();
  });
});

test('the builder waits for space, and stops in the middle without harm', async () => {
  await withDirectory(async (dir) => {
    const clock = new MovableClock();
    const { indexes, queue, builder, space, close } = openBuilder(dir, clock);
    for (let i = 0; i < 700; i++)
      void queue.commit(writeTo(`things/${i}`, draftOf({ labels: { app: String(i % 9) } })));
    space.isEnough = false;
    builder.report(scanOf('app'));
    builder.report(scanOf('app'));
    assert.deepEqual(indexes.definitions, []);
    space.isEnough = true;
    clock.advance(5_000);
    await until(() => indexes.definitions.some(({ position }) => position !== ''));
    assert.deepEqual(phasesOf(indexes.definitions), ['app building']);
    await close();
    assert.deepEqual((await checkDirectory(dir)).findings, []);
    // The next process continues.
    const next = openBuilder(dir);
    await until(() => next.indexes.definitions[0]?.phase === 'ready');
    await next.close();
    assert.deepEqual((await checkDirectory(dir)).findings, []);
  });
});

test('at the limit, the index that was not used for the longest time makes room for a new one', async () => {
  await withDirectory(async (dir) => {
    const clock = new MovableClock();
    const { environment, indexes, queue, builder, close } = openBuilder(dir, clock);
    await queue.commit(writeTo('things/a'));
    const isIdle = () => indexes.definitions.every(({ phase }) => phase === 'ready');
    for (let i = 0; i < 16; i++) {
      builder.report(scanOf(`l${i}`));
      await until(() => indexes.definitions.length === i + 1 && isIdle());
    }
    builder.report(scanOf('rejected'));
    await until(isIdle);
    assert.equal(
      indexes.definitions.some(({ name }) => name === 'rejected'),
      false,
    );
    clock.advance(11 * 60_000);
    for (const { id, name } of indexes.definitions) if (name !== 'l5') builder.touch(id);
    builder.report(scanOf('wanted'));
    await until(() => indexes.definitions.some(({ name, phase }) => name === 'wanted' && phase === 'ready'));
    const names = readCatalogue(environment.snapshot).map(({ name }) => name);
    assert.equal(names.length, 16);
    assert.equal(names.includes('l5'), false);
    await close();
  });
});

test('check reports entries that are missing, wrong or of no index', async () => {
  await withDirectory(async (dir) => {
    const store = LmdbStore.open({ dir, clock: systemClock, dialect: 'orch' });
    await put(store, 'things/a', { labels: { app: 'x' } });
    await put(store, 'things/b', { labels: { app: 'y' } });
    await put(store, 'things/c');
    const app = { kind: 'label', name: 'app' } as const;
    requestIndex(store, app);
    const view = () => candidatesOf(store, app, 'x');
    await until(() => view() !== undefined);
    assert.deepEqual(view(), ['things/a']);
    await put(store, 'things/b', { labels: { app: 'x' } });
    assert.deepEqual(view(), ['things/a', 'things/b']);
    await remove(store, 'things/a');
    assert.deepEqual(view(), ['things/b']);
    await store.close();
    assert.deepEqual((await checkDirectory(dir)).findings, []);
    const environment = LmdbEnvironment.open(dir, 'orch');
    await environment.write(({ indexes }) => {
      const [entry] = indexes!.getKeys({});
      const other = Buffer.from(entry!);
      other[9]! ^= 1;
      void indexes!.remove(entry!);
      void indexes!.put(other, Buffer.from([1]));
      void indexes!.put(Buffer.concat([Buffer.from([9, 9]), other.subarray(2)]), Buffer.from([1]));
    });
    await environment.close();
    assert.deepEqual((await checkDirectory(dir)).findings, [
      'an entry belongs to index 2313, which does not exist',
      'things/b is missing in the index of the label app of things',
      'the index of the label app of things has things/b with a value that it does not have',
    ]);
  });
});
