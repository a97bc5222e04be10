import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { ChangeListeners } from '../change-listeners.ts';
import { StorageUnavailable } from '../store.ts';
import { writeTo } from '../suite/objects.ts';
import { LmdbEnvironment } from './environment.ts';
import { GroupCommit } from './group-commit.ts';
import { WriterIndexes } from './writer-indexes.ts';

test('a failed disk is retried by the monotonic clock, also after the wall clock was set back', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'orch-commit-'));
  const environment = LmdbEnvironment.open(dir, 'orch');
  t.after(async () => {
    await environment.close();
    await rm(dir, { recursive: true });
  });
  const time = { wallMs: 1_000_000, monotonicMs: 0 };
  const clock = { ...systemClock, now: () => time.wallMs, elapsed: () => time.monotonicMs };
  const indexes = new WriterIndexes(environment.snapshot);
  const queue = new GroupCommit(environment, clock, new ChangeListeners(), () => {}, indexes);
  t.mock.method(environment, 'write', () => Promise.reject(new Error('EIO')), { times: 1 });
  const isUnavailable = (error: unknown) => error instanceof StorageUnavailable && /EIO/.test(error.message);
  await assert.rejects(queue.commit(writeTo('things/a')), isUnavailable);
  time.wallMs = 0;
  await assert.rejects(queue.commit(writeTo('things/a')), isUnavailable);
  time.monotonicMs = 100;
  assert.equal((await queue.commit(writeTo('things/a'))).revision, 1);
});
