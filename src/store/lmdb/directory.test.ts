// Tests of opening data directories: creation, dialect, format, foreign files.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { open } from 'lmdb';
import { MovableClock } from '../../base/clock.ts';
import { dataOf, put, remove } from '../suite/objects.ts';
import { checkDirectory } from './check.ts';
import { DataDirectoryError, LABEL_KEY } from './directory.ts';
import { LmdbEnvironment } from './environment.ts';
import { rewriteInFormat2 } from './format-2.fixture.ts';
import { LmdbStore } from './lmdb-store.ts';

let root: string;
let next = 0;
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'orch-directory-'));
});
after(() => rm(root, { recursive: true }));

const clock = new MovableClock();
const newDirectory = () => join(root, `${next++}`);

function refuses(dir: string, pattern: RegExp, dialect = 'orch'): void {
  assert.throws(
    () => LmdbStore.open({ dir, clock, dialect }),
    (error) => {
      assert.ok(error instanceof DataDirectoryError);
      assert.match(error.message, pattern);
      assert.ok(error.message.includes(dir) && !error.message.includes('\n'));
      return true;
    },
  );
}

test('a directory is created recursively and keeps its uid', async () => {
  const dir = join(newDirectory(), 'a', 'b');
  const first = LmdbStore.open({ dir, clock, dialect: 'orch' });
  const { uid } = first;
  await first.close();
  const second = LmdbStore.open({ dir, clock, dialect: 'orch' });
  assert.equal(second.uid, uid);
  await second.close();
});

test('a directory of another dialect is rejected', async () => {
  const dir = newDirectory();
  await LmdbStore.open({ dir, clock, dialect: 'orch' }).close();
  refuses(dir, /contains data of dialect orch, not kubernetes; start with --dialect orch/, 'kubernetes');
});

async function directoryOfFormat(format: number): Promise<string> {
  const dir = newDirectory();
  await LmdbStore.open({ dir, clock, dialect: 'orch' }).close();
  const environment = LmdbEnvironment.open(dir, 'orch');
  const label = Buffer.from(JSON.stringify({ ...environment.label, format }));
  await environment.write(({ meta }) => void meta.put(LABEL_KEY, label));
  await environment.close();
  return dir;
}

test('a directory of a newer or an older release is rejected', async () => {
  refuses(
    await directoryOfFormat(1_000),
    /written by a newer release \(format 1000, this one supports 2 to 4\); run that release, or choose another/,
  );
  refuses(
    await directoryOfFormat(1),
    /written by an older release \(format 1, this one supports 2 to 4\); run that release, or choose another/,
  );
});

test('a directory of the previous format is readable and writable', async () => {
  const dir = newDirectory();
  const open = () => LmdbStore.open({ dir, clock, dialect: 'orch' });
  const before = open();
  await put(before, 'things/a', { data: '1', labels: { l: 'x' }, expiresAt: clock.now() + 60_000 });
  await put(before, 'things/a', { data: '2' });
  await put(before, 'things/b', { data: '3' });
  const [a, b] = [before.get('things/a'), before.get('things/b')];
  await before.close();
  await rewriteInFormat2(dir, 'fsync');
  const store = open();
  for (const was of [a, b]) {
    const is = store.get(was!.key);
    assert.deepEqual(
      [is?.json, is?.labels, is?.schemaFingerprint],
      [was!.json, was!.labels, was!.schemaFingerprint],
    );
  }
  await put(store, 'things/a', { data: '4' });
  assert.equal(dataOf((await remove(store, 'things/b')).object), '3');
  await store.close();
  assert.deepEqual((await checkDirectory(dir)).findings, []);
  const environment = LmdbEnvironment.openForReading(dir);
  assert.equal(environment.label.format, 4);
  await environment.close();
});

test('a directory with other files is rejected and left unchanged', async () => {
  const dir = newDirectory();
  await mkdir(dir);
  await writeFile(join(dir, 'letter.txt'), 'Dear reader');
  refuses(
    dir,
    /is not a data directory of this server: it contains letter\.txt; choose an empty or new directory/,
  );
  assert.deepEqual(await readdir(dir), ['letter.txt']);
});

test('a data file that is not a database, or belongs to another program, is rejected', async () => {
  const garbage = newDirectory();
  await mkdir(garbage);
  await writeFile(join(garbage, 'data.mdb'), 'x'.repeat(20_000));
  refuses(garbage, /is not a data directory of this server/);
  const others = newDirectory();
  const database = open({ path: others });
  await database.put('greeting', 'hello');
  await database.close();
  refuses(others, /its data\.mdb was written by another program/);
});

test('a path that cannot be a directory is rejected', async () => {
  const file = newDirectory();
  await writeFile(file, '');
  refuses(join(file, 'data'), /cannot use the data directory/);
});

test('a directory that was never written to is initialized', async () => {
  const dir = newDirectory();
  await open({ path: dir, pageSize: 8_192 }).close();
  const store = LmdbStore.open({ dir, clock, dialect: 'orch' });
  assert.equal((await put(store, 'things/a')).revision, 1);
  await store.close();
});

test('everything recorded about a directory is there after a reopen', async () => {
  const dir = newDirectory();
  const keys = [
    'a',
    'copied-from',
    ...Array.from({ length: 20 }, (_, n) => `a rather long key, number ${n}`),
  ];
  await LmdbStore.open({ dir, clock, dialect: 'orch' }).close();
  const first = LmdbEnvironment.open(dir, 'orch');
  await first.write(({ meta }) => {
    for (const key of keys) void meta.put(key, Buffer.from(key));
  });
  await first.close();
  const again = LmdbEnvironment.open(dir, 'orch');
  const found: (string | undefined)[] = [];
  await again.write(({ meta }) => {
    for (const key of keys) found.push(meta.get(key)?.toString());
  });
  await again.close();
  assert.deepEqual(found, keys);
});
