// Tests of writing a volume into a folder that contains files and links of others.
import assert from 'node:assert/strict';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { writeVolume } from './write-volume.ts';

let parent: string;
let folder: string;
const now = Date.UTC(2026, 0, 31);
const file = (path: string, text: string, mode = 0o640) => ({ path, mode, content: Buffer.from(text) });

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'orch-volume-'));
  folder = join(parent, 'volume');
  await mkdir(folder);
});
afterEach(() => rm(parent, { recursive: true }));

test('a second write replaces the files and removes the old directory', async () => {
  await writeVolume(folder, [file('a', '1'), file('b/c', '2')], now);
  assert.equal((await lstat(join(folder, '..data', 'a'))).mode & 0o777, 0o640);
  await writeVolume(folder, [file('a', '3')], now + 1000);
  assert.equal(await readFile(join(folder, 'a'), 'utf8'), '3');
  const entries = await readdir(folder);
  assert.deepEqual(
    entries.filter((name) => !name.startsWith('..')),
    ['a'],
  );
  assert.equal(entries.filter((name) => /^\.\.\d/.test(name)).length, 1);
});

for (const target of ['../victim', '../../victim', '..2026/../../victim', '..planted']) {
  test(`a planted link ..data to ${target} is replaced, and its target is kept`, async () => {
    const victim = join(parent, 'victim');
    await mkdir(victim);
    await writeFile(join(victim, 'kept'), 'x');
    await symlink(victim, join(folder, '..planted'));
    await symlink(target, join(folder, '..data'));
    await writeVolume(folder, [file('a', '1')], now);
    assert.equal(await readFile(join(victim, 'kept'), 'utf8'), 'x');
    assert.equal(await readFile(join(folder, 'a'), 'utf8'), '1');
  });
}

test('a planted link with a timestamped name is not followed', async () => {
  const victim = join(parent, 'victim');
  await mkdir(victim);
  await writeFile(join(victim, 'kept'), 'x');
  await symlink(victim, join(folder, '..2026_01_01_'));
  await symlink('..2026_01_01_', join(folder, '..data'));
  await writeVolume(folder, [file('a', '1')], now);
  assert.equal(await readFile(join(victim, 'kept'), 'utf8'), 'x');
});

test('links of others in the folder are kept', async () => {
  await symlink('/nowhere', join(folder, 'own'));
  await writeVolume(folder, [file('a', '1')], now);
  assert.ok((await lstat(join(folder, 'own'))).isSymbolicLink());
});
