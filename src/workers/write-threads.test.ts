import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { defaultAdmissionOptions } from '../admission/options.ts';
import { defaultOptions } from '../server/options.ts';
import { silentLogger } from '../telemetry/log.ts';
import type { PrepareMessage } from './messages.ts';
import { WriteThreadPool } from './write-threads.ts';

const { dialect, featureGates, runtimeConfig, emulatedVersion, allowPrivileged, eventTtl } = defaultOptions;
const namespaceLifecycle = true;
const kinds = {
  ...{ dialect, featureGates, runtimeConfig, emulatedVersion, allowPrivileged },
  ...{ eventTtl, namespaceLifecycle, admission: defaultAdmissionOptions },
};

/** A write of something that nobody knows. */
const nonsense = (size: number) => (): PrepareMessage => ({
  target: { group: 'none', version: 'v1', plural: 'nothings', namespace: '', name: 'a', subresource: '' },
  options: { dryRun: false, fieldValidation: 'Warn' },
  verb: 'update',
  type: '',
  now: 0,
  sourceLength: size,
  definition: undefined,
  objects: [],
  absentPrefix: undefined,
  mayAsk: false,
  bytes: new Uint8Array(size),
});

test('the bytes queued on a worker thread are limited, and it returns writes that it cannot prepare', async (t) => {
  const threads = new WriteThreadPool({ ...kinds, count: 1, logger: silentLogger });
  t.after(() => threads.close());
  assert.equal(threads.tryRun(nonsense(10)), undefined);
  threads.start();
  let large = threads.tryRun(nonsense(17 * 1024 * 1024));
  for (; !large; large = threads.tryRun(nonsense(17 * 1024 * 1024))) await setTimeout(10);
  assert.equal(threads.tryRun(nonsense(10)), undefined);
  assert.deepEqual(await large, { is: 'notOffloadable' });
  assert.deepEqual(await threads.tryRun(nonsense(10)), { is: 'notOffloadable' });
});

test('a request that a worker thread cannot decode comes back, and the thread keeps running', async (t) => {
  const problems: unknown[] = [];
  const logger = { ...silentLogger, warn: (fields: object) => problems.push(fields) } as typeof silentLogger;
  const threads = new WriteThreadPool({ ...kinds, count: 1, logger });
  t.after(() => threads.close());
  threads.start();
  const undecodable = (): PrepareMessage => ({ ...nonsense(10)(), sourceLength: 20 });
  const badLength = (): PrepareMessage => ({
    ...undecodable(),
    target: { ...undecodable().target, group: '', plural: 'configmaps' },
  });
  let working = threads.tryRun(badLength);
  for (; !working; working = threads.tryRun(badLength)) await setTimeout(10);
  assert.deepEqual(await working, { is: 'notOffloadable' });
  assert.deepEqual(await threads.tryRun(nonsense(10)), { is: 'notOffloadable' });
  assert.deepEqual(problems, []);
});

test('unfinished writes are returned when a worker thread exits', async () => {
  const threads = new WriteThreadPool({ ...kinds, count: 1, logger: silentLogger });
  threads.start();
  let working = threads.tryRun(nonsense(10));
  for (; !working; working = threads.tryRun(nonsense(10))) await setTimeout(10);
  await threads.close();
  assert.deepEqual(await working, { is: 'notOffloadable' });
  threads.start();
  assert.equal(threads.tryRun(nonsense(10)), undefined);
});
