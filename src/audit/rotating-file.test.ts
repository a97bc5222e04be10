// Tests of audit log rotation.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { MovableClock } from '../base/clock.ts';
import { RotatingFile, type RotationOptions } from './rotating-file.ts';

function folderOf(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'orch-rotation-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

function open(folder: string, options: Partial<RotationOptions> = {}): RotatingFile {
  return new RotatingFile({
    path: join(folder, 'audit.log'),
    maxBytes: 100,
    maxAgeDays: 0,
    maxBackups: 0,
    compress: false,
    clock: new MovableClock(),
    onFailure(error) {
      throw error;
    },
    ...options,
  });
}

const line = (letter: string) => Buffer.from(`${letter.repeat(59)}\n`);

test('a full file is renamed with the time, and lines are never split', async (context) => {
  const folder = folderOf(context);
  const file = open(folder);
  for (const letter of 'abc') file.append(line(letter));
  await file.appendAsync(line('d'));
  await file.close();
  const names = readdirSync(folder).sort();
  assert.equal(names.length, 4);
  for (const name of names.slice(0, 3)) {
    assert.match(name, /^audit-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}\.log$/);
  }
  assert.deepEqual(
    names.map((name) => readFileSync(join(folder, name), 'utf8')[0]),
    ['a', 'b', 'c', 'd'],
  );
  assert.equal(statSync(join(folder, 'audit.log')).mode & 0o777, 0o600);
});

test('an existing file is appended to', async (context) => {
  const folder = folderOf(context);
  writeFileSync(join(folder, 'audit.log'), 'before\n');
  const file = open(folder);
  file.append(Buffer.from('after\n'));
  await file.close();
  assert.equal(readFileSync(join(folder, 'audit.log'), 'utf8'), 'before\nafter\n');
});

test('rotated files beyond maxBackups or maxAgeDays are deleted, other files are not', async (context) => {
  const folder = folderOf(context);
  for (const name of [
    'audit-2020-01-01T00-00-00.000.log',
    'audit-notes.log',
    'other-2020-01-01T00-00-00.000.log',
  ]) {
    writeFileSync(join(folder, name), '');
  }
  const file = open(folder, { maxBackups: 2, maxAgeDays: 7 });
  for (const letter of 'abcde') file.append(line(letter));
  await file.close();
  const names = readdirSync(folder).sort();
  const first = (name: string) => readFileSync(join(folder, name), 'utf8')[0];
  assert.deepEqual(names.slice(0, 2).map(first), ['c', 'd']);
  assert.deepEqual(names.slice(2), ['audit-notes.log', 'audit.log', 'other-2020-01-01T00-00-00.000.log']);
});

test('rotated files are compressed if enabled', async (context) => {
  const folder = folderOf(context);
  const file = open(folder, { compress: true });
  for (const letter of 'ab') file.append(line(letter));
  await file.close();
  const [old] = readdirSync(folder);
  assert.match(old!, /\.log\.gz$/);
  assert.equal(gunzipSync(readFileSync(join(folder, old!))).toString(), line('a').toString());
});

test('a file that cannot be rotated grows until rotation succeeds', async (context) => {
  const folder = folderOf(context);
  const failures: unknown[] = [];
  const file = open(folder, { onFailure: (error) => failures.push(error) });
  file.append(line('a'));
  rmSync(folder, { recursive: true });
  file.append(line('b'));
  assert.equal(failures.length, 1);
  mkdirSync(folder);
  file.append(line('c'));
  await file.close();
  assert.equal(failures.length, 1);
  assert.equal(readFileSync(join(folder, 'audit.log'), 'utf8'), String(line('c')));
});
