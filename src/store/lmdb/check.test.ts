// Tests of `orch store check` and `orch store stat` on damaged directories.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { MovableClock } from '../../base/clock.ts';
import { put, remove, summary } from '../suite/objects.ts';
import { checkDirectory } from './check.ts';
import { DataDirectoryError } from './directory.ts';
import { LmdbEnvironment } from './environment.ts';
import { LmdbStore } from './lmdb-store.ts';
import { statDirectory } from './stat.ts';
import { expiryKey, logKey, type Tables, writeState } from './tables.ts';

let root: string;
let next = 0;
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'orch-check-'));
});
after(() => rm(root, { recursive: true }));

const clock = new MovableClock();
const expiresAt = clock.now() + 1e9;

/** A store with nine changes, of which the first two are compacted. */
async function openFilled(): Promise<{ dir: string; store: LmdbStore }> {
  const dir = join(root, `${next++}`);
  const store = LmdbStore.open({ dir, clock, dialect: 'orch' });
  await put(store, 'things/old');
  await put(store, 'things/a', { data: '1' });
  await store.compact(2);
  await put(store, 'things/a', { data: '2', labels: { app: 'web' } });
  await put(store, 'things/b');
  await remove(store, 'things/b');
  await put(store, 'things/b', { data: 'again' });
  await put(store, 'events/e', { expiresAt });
  await put(store, 'things/a', { data: '3' });
  await remove(store, 'things/old');
  return { dir, store };
}

async function findingsAfter(damage: (tables: Tables) => unknown): Promise<readonly string[]> {
  const { dir, store } = await openFilled();
  await store.close();
  const environment = LmdbEnvironment.open(dir, 'orch');
  await environment.write(damage);
  await environment.close();
  return (await checkDirectory(dir)).findings;
}

/** Waits until no entry up to `revision` is left: entries are removed after the compacted revision has advanced. */
async function removedFrom(dir: string, revision: number): Promise<void> {
  for (;;) {
    const environment = LmdbEnvironment.openForReading(dir);
    const [oldest = revision + 1] = environment.snapshot.tables.order.getKeys({ start: 0, limit: 1 });
    await environment.close();
    if (oldest > revision) return;
    await setImmediate();
  }
}

test('check reports no findings for a consistent directory', async () => {
  const { dir, store } = await openFilled();
  await store.close();
  assert.deepEqual(await checkDirectory(dir), {
    revision: 9,
    compacted: 2,
    objects: 3,
    changes: 7,
    findings: [],
  });
});

test('check rejects a directory in use and one without data', async () => {
  const { dir, store } = await openFilled();
  await assert.rejects(checkDirectory(dir), new RegExp(`in use by process ${process.pid}`));
  await store.close();
  await assert.rejects(checkDirectory(join(root, 'nowhere')), DataDirectoryError);
});

test('check finds a missing change', async () => {
  const findings = await findingsAfter((tables) => tables.order.remove(6));
  assert.ok(findings.includes('the log has a gap between revision 5 and 7'));
});

test('check finds a log that ends too early or starts too late', async () => {
  const late = await findingsAfter((tables) => tables.order.remove(3));
  assert.ok(late.includes('the log has a gap between revision 2 and 4'));
  const early = await findingsAfter((tables) => tables.order.remove(9));
  assert.ok(early.includes('the log ends at revision 8, not at 9'));
});

test('check finds objects that are missing, left over, old or unknown to the log', async () => {
  const missing = await findingsAfter((tables) => tables.objects.remove('things/a'));
  assert.ok(missing.includes('things/a is missing, although its last change, 8, did not delete it'));
  assert.ok(missing.includes('2 objects found, but the counter is 3'));
  const copyTo = (key: string) => (tables: Tables) =>
    tables.objects.put(key, tables.objects.get('things/b')!);
  const leftOver = await findingsAfter(copyTo('things/old'));
  assert.ok(leftOver.includes('things/old exists, although its last change deleted it'));
  const old = await findingsAfter(copyTo('things/a'));
  assert.ok(old.includes('things/a differs from its last change, 8'));
  const unknown = await findingsAfter(copyTo('things/new'));
  assert.ok(unknown.includes('things/new has revision 6, which is not in the log'));
});

test('check finds versions that are missing, wrong or unreferenced', async () => {
  // State 3 of things/a was produced by change 3 and replaced by change 8.
  const missing = await findingsAfter((tables) => tables.versions.remove(3));
  assert.ok(missing.includes('change 3 cannot be read: the state of things/a at revision 3 is missing'));
  assert.ok(missing.includes('change 8 cannot be read: the state of things/a at revision 3 is missing'));
  // State 1 of things/old was written before the history and replaced in it.
  const old = await findingsAfter((tables) => tables.versions.remove(1));
  assert.ok(old.includes('change 9 cannot be read: the state of things/old at revision 1 is missing'));
  const wrong = await findingsAfter((tables) => tables.versions.put(1, tables.versions.get(4)!));
  assert.ok(wrong.includes('the state stored for revision 1 has revision 4'));
  const orphan = await findingsAfter((tables) => tables.versions.put(6, tables.objects.get('things/b')!));
  assert.deepEqual(orphan, ['the state of revision 6 is stored, although no change in the log replaced it']);
});

test('compaction removes the versions that its log entries refer to', async () => {
  const { dir, store } = await openFilled();
  const kept = async (opened: LmdbStore) => {
    await opened.close();
    const environment = LmdbEnvironment.openForReading(dir);
    const revisions = [...environment.snapshot.tables.versions.getKeys({ start: 0 })];
    await environment.close();
    assert.deepEqual((await checkDirectory(dir)).findings, []);
    return revisions;
  };
  const reopened = () => LmdbStore.open({ dir, clock, dialect: 'orch' });
  assert.deepEqual(await kept(store), [1, 2, 3, 4]);
  for (const [revision, expected] of [
    [3, [1, 3, 4]],
    [5, [1, 3]],
    [8, [1]],
    [9, []],
  ] as const) {
    const again = reopened();
    const pinned = again.pin();
    const before = [...again.history('things', revision)].map(summary);
    await again.compact(revision);
    await removedFrom(dir, revision);
    assert.deepEqual([...again.history('things', revision)].map(summary), before);
    assert.deepEqual([...pinned.keys('')], ['events/e', 'things/a', 'things/b']);
    pinned.release();
    assert.deepEqual(await kept(again), expected);
  }
});

test('check finds records that are not valid JSON or belong to another object', async () => {
  const change = (edit: (record: Buffer) => Buffer) => (tables: Tables) =>
    tables.objects.put('things/a', edit(tables.objects.get('things/a')!));
  const broken = await findingsAfter(change((record) => record.subarray(0, -1)));
  assert.match(broken.join('\n'), /things\/a cannot be read: .*JSON/);
  const short = await findingsAfter(change((record) => record.subarray(0, 10)));
  assert.match(short.join('\n'), /things\/a cannot be read/);
  const text = (from: string, to: string) => (record: Buffer) =>
    Buffer.from(record.toString('latin1').replace(from, to), 'latin1');
  const revision = await findingsAfter(change(text('"resourceVersion":"8"', '"resourceVersion":"7"')));
  assert.ok(revision.includes('things/a has revision 8, but its JSON says 7'));
  const labels = await findingsAfter(change(text('"metadata":{', '"metadata":{"labels":{"a":"b"},')));
  assert.ok(labels.includes('the indexed labels of things/a differ from those in its JSON'));
});

test('check finds inconsistent indexes', async () => {
  const unlisted = await findingsAfter((tables) => tables.log.remove(logKey('events', 7)));
  assert.deepEqual(unlisted, [
    'the log of events has no entry for revision 7',
    'the log has 6 entries for 7 changes',
    'events/e has revision 7, which is not in the log',
  ]);
  const twice = await findingsAfter((tables) =>
    tables.log.put(logKey('others', 7), tables.log.get(logKey('events', 7))!),
  );
  assert.deepEqual(twice, ['the log has 8 entries for 7 changes']);
  const forgotten = await findingsAfter((tables) => tables.expiries.remove(expiryKey(expiresAt, 'events/e')));
  assert.deepEqual(forgotten, ['events/e is missing in the expiry index']);
  const invented = await findingsAfter((tables) =>
    tables.expiries.put(expiryKey(1, 'things/a'), Buffer.from('things')),
  );
  assert.deepEqual(invented, [
    'the expiry index has things/a at 1, but the object is missing or expires at another time',
  ]);
  const miscounted = await findingsAfter((tables) =>
    tables.meta.put('state', writeState({ revision: 10, compacted: 2, objects: 3 })),
  );
  assert.deepEqual(miscounted, ['the log ends at revision 9, not at 10']);
});

test('stat describes a directory, in use or not', async () => {
  const { dir, store } = await openFilled();
  const { uid } = store;
  const { oldestChangeAt, bytes, ...used } = await statDirectory(dir);
  assert.ok(oldestChangeAt! <= clock.now() && bytes > 10_000);
  const expected = {
    format: 4,
    dialect: 'orch',
    uid,
    revision: 9,
    compacted: 2,
    objects: 3,
    changes: 7,
    copyOf: undefined,
  };
  assert.deepEqual(used, { ...expected, inUseBy: process.pid });
  await store.close();
  assert.equal((await statDirectory(dir)).inUseBy, undefined);
});
