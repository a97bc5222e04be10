// Tests of the crash safety of unsynced copies.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { SYNC_STATE_FILE } from './directory.ts';
import { LmdbEnvironment } from './environment.ts';

let root: string;
let next = 0;
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'orch-unflushed-'));
});
after(() => rm(root, { recursive: true }));

const newDirectory = () => mkdtemp(join(root, `${next++}-`));
const openCopy = (dir: string) => LmdbEnvironment.open(dir, 'orch', 'no fsync');

async function write(environment: LmdbEnvironment, key: string): Promise<void> {
  await environment.write(({ objects }) => void objects.put(key, Buffer.from(key)));
  environment.advance();
}

/** The object that the next process to open the directory finds. */
async function foundIn(dir: string, key = 'a'): Promise<string | undefined> {
  const environment = openCopy(dir);
  const { tables, options } = environment.snapshot;
  const found = tables.objects.get(key, options)?.toString();
  await environment.close();
  return found;
}

/** A directory as an abruptly killed process leaves it. */
async function leftBehind(): Promise<string> {
  const [dir, left] = [await newDirectory(), await newDirectory()];
  const environment = openCopy(dir);
  await write(environment, 'a');
  await cp(dir, left, { recursive: true });
  await environment.close();
  return left;
}

test('a copy is reused after it was closed, also after a reboot', async () => {
  const dir = await newDirectory();
  const environment = openCopy(dir);
  await write(environment, 'a');
  await environment.close();
  assert.equal(await readFile(join(dir, SYNC_STATE_FILE), 'utf8'), 'flushed');
  assert.equal(await foundIn(dir), 'a');
  assert.equal(await foundIn(dir), 'a');
});

test('a copy is reused after its process was killed', {
  skip: process.platform !== 'linux' && 'the boot id is available on Linux only',
}, async () => {
  assert.equal(await foundIn(await leftBehind()), 'a');
});

test('a copy is rebuilt after the machine crashed', async () => {
  const dir = await leftBehind();
  await writeFile(join(dir, SYNC_STATE_FILE), 'another start');
  assert.equal(await foundIn(dir), undefined);
  const environment = openCopy(dir);
  await write(environment, 'b');
  await environment.close();
  assert.equal(await foundIn(dir, 'b'), 'b');
});

test('a copy without a mark is rebuilt', async () => {
  const dir = await leftBehind();
  await rm(join(dir, SYNC_STATE_FILE));
  assert.equal(await foundIn(dir), undefined);
});
