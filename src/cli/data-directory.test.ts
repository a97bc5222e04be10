// Tests of the data directory check.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { rejectForeignDirectory } from './data-directory.ts';

const parent = mkdtempSync(join(tmpdir(), 'orch-data-directory-'));
after(() => rmSync(parent, { recursive: true }));
let count = 0;
function newDirectory(): string {
  const path = join(parent, String(count++));
  mkdirSync(path);
  return path;
}

test('a missing, an empty and an own directory are accepted', () => {
  rejectForeignDirectory(join(parent, 'missing'));
  const own = newDirectory();
  rejectForeignDirectory(own);
  mkdirSync(join(own, 'pki'));
  writeFileSync(join(own, 'notes.txt'), '');
  rejectForeignDirectory(own);
});

test('a directory with other files is rejected', () => {
  const foreign = newDirectory();
  writeFileSync(join(foreign, 'thesis.doc'), '');
  assert.throws(() => rejectForeignDirectory(foreign), /it contains thesis\.doc/);
});

for (const name of ['store', 'copy', 'pki', 'kubeconfig']) {
  test(`a planted link ${name} is rejected`, () => {
    const directory = newDirectory();
    symlinkSync(parent, join(directory, name));
    assert.throws(() => rejectForeignDirectory(directory), /is a symbolic link, which Orch does not follow/);
  });
}
