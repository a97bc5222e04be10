// Tests of results that several requests share.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskOwner } from '../request/task-owner.ts';
import { SharedResults } from './shared-results.ts';

/** A task whose end the test decides. */
class ManualTask {
  starts = 0;
  owner: TaskOwner | undefined;
  finish: (bytes: Buffer) => void = () => {};

  readonly start = (owner: TaskOwner | undefined): Promise<Buffer> => {
    this.starts++;
    this.owner = owner;
    return new Promise((resolve, reject) => {
      this.finish = resolve;
      owner?.signal.addEventListener('abort', () => reject(owner.signal.reason));
    });
  };
}

function request(name = 'alice') {
  const controller = new AbortController();
  return {
    owner: { user: { name }, signal: controller.signal },
    hangUp: () => controller.abort(new Error('gone')),
  };
}

test('requests of a user for the same result share one task, and later ones its result', async () => {
  const results = new SharedResults();
  const task = new ManualTask();
  const waiting = [request(), request(), request()].map(({ owner }) => results.get('k', owner, task.start));
  task.finish(Buffer.from('x'));
  for (const bytes of await Promise.all(waiting)) assert.equal(String(bytes), 'x');
  assert.equal(String(await results.get('k', request().owner, task.start)), 'x');
  assert.equal(task.starts, 1);
});

test('users do not wait for the tasks of others', async () => {
  const results = new SharedResults();
  const [alice, bob] = [new ManualTask(), new ManualTask()];
  const waiting = results.get('k', request('alice').owner, alice.start);
  const other = results.get('k', request('bob').owner, bob.start);
  bob.finish(Buffer.from('x'));
  assert.equal(String(await other), 'x');
  assert.deepEqual([alice.starts, bob.starts], [1, 1]);
  alice.finish(Buffer.from('x'));
  assert.equal(String(await waiting), 'x');
});

test('a task is aborted when the last request has gone, and not before', async () => {
  const results = new SharedResults();
  const task = new ManualTask();
  const [one, two] = [request(), request()];
  const waiting = [one, two].map(({ owner }) => results.get('k', owner, task.start));
  one.hangUp();
  await assert.rejects(waiting[0]!, /gone/);
  assert.equal(task.owner?.signal.aborted, false);
  two.hangUp();
  await assert.rejects(waiting[1]!, /gone/);
  assert.equal(task.owner?.signal.aborted, true);
  const next = results.get('k', request().owner, task.start);
  assert.equal(task.starts, 2);
  task.finish(Buffer.from('y'));
  assert.equal(String(await next), 'y');
});

test('a failure is not cached', async () => {
  const results = new SharedResults();
  await assert.rejects(
    results.get('k', request().owner, () => Promise.reject(new Error('failed'))),
    /failed/,
  );
  assert.equal(String(await results.get('k', request().owner, async () => Buffer.from('x'))), 'x');
});

test('the cached bytes are bounded', async () => {
  const results = new SharedResults();
  let starts = 0;
  const get = (key: string) =>
    results.get(key, request().owner, async () => {
      starts++;
      return Buffer.alloc(4 * 1024 * 1024);
    });
  for (const key of ['1', '2', '3', '4', '5']) await get(key);
  await get('5');
  assert.equal(starts, 5);
  await get('1');
  assert.equal(starts, 6);
});
