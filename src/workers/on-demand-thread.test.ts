// Tests of the worker thread for large tasks: fairness between users, bounds, cancellation.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { defaultAdmissionOptions } from '../admission/options.ts';
import type { ApiError } from '../errors/status.ts';
import { defaultOptions } from '../server/options.ts';
import { silentLogger } from '../telemetry/log.ts';
import type { EncodeMessage } from './messages.ts';
import { OnDemandThread } from './on-demand-thread.ts';

const { dialect, featureGates, runtimeConfig, emulatedVersion, allowPrivileged, eventTtl } = defaultOptions;
const threadOptions = {
  ...{ dialect, featureGates, runtimeConfig, emulatedVersion, allowPrivileged },
  ...{ eventTtl, namespaceLifecycle: true, admission: defaultAdmissionOptions },
};
const kind = { apiVersion: 'v1', kind: 'ConfigMap', schemaReference: 'anything' } as const;

let thread: OnDemandThread;
/** The names of the tasks that were sent to the thread, in order. */
let sent: string[];
beforeEach(() => {
  thread = new OnDemandThread(threadOptions, silentLogger);
  sent = [];
});
afterEach(() => thread.close());

function run(user: string, name: string, signal = new AbortController().signal) {
  const makeTask = (): EncodeMessage => {
    sent.push(name);
    const json = JSON.stringify({ metadata: { name } });
    const bytes = new Uint8Array(Buffer.from(json));
    return { mediaType: 'application/yaml', kind, wrapping: undefined, bytes };
  };
  return thread.run(makeTask, { user: { name: user }, signal });
}

test('users take turns', async () => {
  const alice = ['a1', 'a2', 'a3', 'a4'].map((name) => run('alice', name));
  const bob = ['b1', 'b2'].map((name) => run('bob', name));
  const outcomes = await Promise.all([...alice, ...bob]);
  assert.ok(outcomes.every(({ is }) => is === 'encoded'));
  assert.deepEqual(sent, ['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
});

test('the waiting tasks of a user are bounded, and those of others are not affected', async () => {
  const running = run('alice', 'a');
  const waiting = Array.from({ length: 32 }, () => run('alice', 'a'));
  await assert.rejects(
    run('alice', 'one too many'),
    ({ code, reason }: ApiError) => code === 429 && reason === 'TooManyRequests',
  );
  assert.equal((await run('bob', 'b')).is, 'encoded');
  await Promise.all([running, ...waiting]);
  assert.ok(!sent.includes('one too many'));
});

test('a task whose client has disconnected is not sent, and its request ends at once', async () => {
  const controller = new AbortController();
  const running = run('alice', 'running');
  const waiting = Array.from({ length: 30 }, () => run('alice', 'dropped', controller.signal));
  const settled = Promise.allSettled(waiting);
  controller.abort(new Error('gone'));
  assert.ok(
    (await settled).every((result) => result.status === 'rejected' && result.reason.message === 'gone'),
  );
  await assert.rejects(run('alice', 'dropped', controller.signal), /gone/);
  assert.equal((await running).is, 'encoded');
  assert.equal((await run('alice', 'next')).is, 'encoded');
  assert.deepEqual(sent, ['running', 'next']);
});
