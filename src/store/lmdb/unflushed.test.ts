import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { UNFLUSHED_MARK } from './directory.ts';
import { Environment } from './environment.ts';

let root: string;
let next = 0;
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'orch-unflushed-'));
});
after(() => rm(root, { recursive: true }));

const newDirectory = () => mkdtemp(join(root, `${next++}-`));
const openCopy = (dir: string) => Environment.open(dir, 'orch', 'copy');

async function write(environment: Environment, key: string): Promise<void> {
  await environment.write(({ objects }) => void objects.put(key, Buffer.from(key)));
  environment.advance();
}

/** What of an object is found by who opens the directory next. */
async function foundIn(dir: string, key = 'a'): Promise<string | undefined> {
  const environment = openCopy(dir);
  const { tables, options } = environment.reading;
  const found = tables.objects.get(key, options)?.toString();
  await environment.close();
  return found;
}

/** A directory as a process leaves it that is gone all of a sudden. */
async function leftBehind(): Promise<string> {
  const [dir, left] = [await newDirectory(), await newDirectory()];
  const environment = openCopy(dir);
  await write(environment, 'a');
  await cp(dir, left, { recursive: true });
  await environment.close();
  return left;
}

test('a copy is found again after it was closed, also after the machine was started anew', async () => {
  const dir = await newDirectory();
  const environment = openCopy(dir);
  await write(environment, 'a');
  await environment.close();
  assert.equal(await readFile(join(dir, UNFLUSHED_MARK), 'utf8'), 'flushed');
  assert.equal(await foundIn(dir), 'a');
  assert.equal(await foundIn(dir), 'a');
});

test('a copy is found again after its process is gone', {
  skip: process.platform !== 'linux' && 'what the machine was started as is told on Linux only',
}, async () => {
  assert.equal(await foundIn(await leftBehind()), 'a');
});

test('a copy is made anew after the machine has gone down with its process', async () => {
  const dir = await leftBehind();
  await writeFile(join(dir, UNFLUSHED_MARK), 'another start');
  assert.equal(await foundIn(dir), undefined);
  const environment = openCopy(dir);
  await write(environment, 'b');
  await environment.close();
  assert.equal(await foundIn(dir, 'b'), 'b');
});

test('a copy of which it is not known how it was written is made anew', async () => {
  const dir = await leftBehind();
  await rm(join(dir, UNFLUSHED_MARK));
  assert.equal(await foundIn(dir), undefined);
});
