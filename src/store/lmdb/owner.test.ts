// Tests of directory ownership between processes.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { findOwnerPid, takeOwnership } from './owner.ts';

let root: string;
let dir: string;
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'orch-owner-'));
});
beforeEach(async () => {
  dir = await mkdtemp(join(root, 'dir-'));
});
after(() => rm(root, { recursive: true }));

function take(): () => void {
  const taken = takeOwnership(dir);
  assert.ok('release' in taken);
  return taken.release;
}

/** A process that takes the directory, reports the outcome, and stays alive. */
function otherProcess(): ChildProcess {
  const script = `
    const { takeOwnership } = await import(${JSON.stringify(import.meta.resolve('./owner.ts'))});
    console.log(JSON.stringify(takeOwnership(${JSON.stringify(dir)})));
    setInterval(() => {}, 1e6);
  `;
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function answerOf(child: ChildProcess): Promise<{ heldBy?: number }> {
  const [data] = await once(child.stdout!, 'data');
  return JSON.parse(String(data));
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test('a directory has one owner until it is released', async () => {
  const release = take();
  assert.equal(findOwnerPid(dir), process.pid);
  assert.deepEqual(takeOwnership(dir), { heldBy: process.pid });
  release();
  assert.equal(findOwnerPid(dir), undefined);
  take()();
  assert.equal((await readdir(dir)).length, 1);
});

test('ownership passes from a killed process, not from a living one', async () => {
  const child = otherProcess();
  assert.deepEqual(await answerOf(child), {});
  assert.deepEqual(takeOwnership(dir), { heldBy: child.pid });
  await end(child);
  take()();
});

test('a reused process id does not keep the directory', async () => {
  await symlink(`${process.pid}.long-ago`, join(dir, 'owner.7'));
  assert.equal(findOwnerPid(dir), undefined);
  const release = take();
  assert.deepEqual(await readdir(dir), ['owner.8']);
  release();
  assert.deepEqual(await readdir(dir), ['owner.9']);
});

test('an incomplete owner file does not keep the directory', async () => {
  await writeFile(join(dir, 'owner.1'), '');
  take()();
});

test('of concurrent processes that take an abandoned directory, one succeeds', async () => {
  await symlink(`${process.pid}.long-ago`, join(dir, 'owner.3'));
  const children = Array.from({ length: 4 }, otherProcess);
  const answers = await Promise.all(children.map(answerOf));
  const winner = children[answers.findIndex(({ heldBy }) => heldBy === undefined)];
  assert.deepEqual(
    answers.map(({ heldBy }) => heldBy).filter((pid) => pid !== winner?.pid),
    [undefined],
  );
  await Promise.all(children.map(end));
});
