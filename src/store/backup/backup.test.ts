// Tests of the backup file format.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { spliceRevision } from '../stored-object.ts';
import { draftOf as made } from '../suite/objects.ts';
import { type BackedUpObject, BackupError, toDraft } from './format.ts';
import { readObjects, verifyBackup } from './read-backup.ts';
import { writeBackup } from './write-backup.ts';

let root: string;
let next = 0;
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'orch-backup-'));
});
after(() => rm(root, { recursive: true }));

const newFile = () => join(root, `${next++}.backup`);
const ignore = () => {};

const contents = {
  'apps/things/a': { data: 'a line\nand \u2028 another', labels: { app: 'web', 'x/y': 'ü' } },
  'things/b': { data: 'x'.repeat(300_000), fields: { 'spec.nodeName': 'n' } },
  'things/c': { data: '', expiresAt: 1_767_225_600_000.5 },
};

function* objects(): Generator<BackedUpObject> {
  let revision = 7;
  for (const [key, content] of Object.entries(contents)) {
    yield {
      prefix: key.slice(0, key.lastIndexOf('/')),
      object: spliceRevision(made(content), key, revision++),
    };
  }
}

async function written(): Promise<string> {
  const file = newFile();
  const count = await writeBackup(file, { dialect: 'orch', revision: 12, objects }, ignore);
  assert.equal(count, 3);
  return file;
}

test('a backup is read as it was written, including metadata', async () => {
  const backup = await verifyBackup(await written(), ignore);
  assert.deepEqual(
    [backup.dialect, backup.revision, backup.objects, backup.largest.key],
    ['orch', 12, 3, 'things/b'],
  );
  const read: BackedUpObject[] = [];
  for await (const each of readObjects(backup)) read.push(each);
  assert.deepEqual(read, [...objects()]);
  assert.deepEqual(toDraft(read[1]!.object), { ...made(contents['things/b']), expiresAtMs: undefined });
});

test('a backup is readable by its owner only, never overwrites a file, and leaves no partial file', async () => {
  const file = await written();
  assert.equal((await stat(file)).mode & 0o077, 0);
  await assert.rejects(
    writeBackup(file, { dialect: 'orch', revision: 12, objects }, ignore),
    /already exists; choose another name/,
  );
  const failing = newFile();
  async function* broken(): AsyncGenerator<BackedUpObject> {
    yield* objects();
    throw new Error('etcd is gone');
  }
  await assert.rejects(
    writeBackup(failing, { dialect: 'orch', revision: 12, objects: broken }, ignore),
    /gone/,
  );
  assert.ok(!(await readdir(root)).some((name) => failing.endsWith(name) || name.endsWith('.unfinished')));
});

test('a backup truncated anywhere is rejected', async () => {
  const whole = await readFile(await written());
  const cut = newFile();
  const lengths = Array.from({ length: 60 }, (_, i) => Math.floor((whole.length * i) / 60));
  for (const length of [...lengths, whole.length - 1]) {
    await writeFile(cut, whole.subarray(0, length));
    await assert.rejects(verifyBackup(cut, ignore), BackupError, `${length} of ${whole.length} bytes`);
  }
});

test('a backup with any byte changed is rejected', async () => {
  const whole = await readFile(await written());
  const changed = newFile();
  for (let i = 0; i < 60; i++) {
    const at = Math.floor(((whole.length - 1) * i) / 59);
    const bytes = Buffer.from(whole);
    bytes[at]! ^= 1;
    await writeFile(changed, bytes);
    await assert.rejects(verifyBackup(changed, ignore), BackupError, `byte ${at} of ${whole.length}`);
  }
});

const header = '{"format":"orch-backup","version":1,"dialect":"orch","revision":12,"takenAt":"now"}';
const object = (revision: number) => `{"metadata":{"resourceVersion":"${revision}"}}`;
const entry = (key: string, revision: number, more: object = {}) =>
  JSON.stringify({
    ...{
      key,
      prefix: 'things',
      revision,
      bytes: object(revision).length,
      revisionAt: 32,
      itemAt: 1,
      mark: 'm',
    },
    ...more,
  });

/** A file of these lines with a correct digest. */
async function fileOf(lines: readonly string[], count: number): Promise<string> {
  const file = newFile();
  const text = lines.map((line) => `${line}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  await writeFile(file, `${text}${JSON.stringify({ objects: count, sha256 })}\n`);
  return file;
}

test('objects that no server could have stored are rejected despite a correct digest', async () => {
  const fine = await fileOf([header, entry('things/a', 3), object(3), entry('things/b', 12), object(12)], 2);
  assert.equal((await verifyBackup(fine, ignore)).objects, 2);
  const refused: [lines: string[], count: number, why: RegExp][] = [
    [['{"format":"other"}'], 0, /not a backup of Orch/],
    [[header.replace('"version":1', '"version":2')], 0, /has version 2, this release supports 1/],
    [[header], 1, /SHA-256 digest does not match/],
    [[header, entry('things/a', 13), object(13)], 1, /newer than revision 12/],
    [[header, entry('things/a', 3), object(4)], 1, /does not have revision 3/],
    [
      [header, entry('things/b', 3), object(3), entry('things/a', 4), object(4)],
      2,
      /things\/a is out of order/,
    ],
    [
      [header, entry('things/a', 3), object(3), entry('things/a', 4), object(4)],
      2,
      /things\/a is out of order/,
    ],
    [[header, entry('others/a', 3), object(3)], 1, /is not one of the resource/],
    [[header, entry('things/a', 3, { bytes: 2 ** 40 }), object(3)], 1, /damaged/],
    [[header, entry('things/a', 3, { revisionAt: 99 }), object(3)], 1, /damaged/],
    [[header, entry('things/a', 3, { itemAt: 0 }), object(3)], 1, /damaged/],
    [[header, entry('things/a', 3, { labels: 1 }), object(3)], 1, /damaged/],
    [[header, 'null'], 0, /not a backup of Orch/],
  ];
  for (const [lines, count, why] of refused) {
    await assert.rejects(verifyBackup(await fileOf(lines, count), ignore), (error) => {
      assert.ok(error instanceof BackupError && why.test(error.message), `${error} is not ${why}`);
      return true;
    });
  }
});

test('a file without newlines is rejected before it is read whole', async () => {
  const file = newFile();
  await writeFile(file, Buffer.alloc(40 * 1024 * 1024, 'x'));
  await assert.rejects(verifyBackup(file, ignore), /a line is too long/);
});
