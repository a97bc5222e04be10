import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { MovableClock } from '../../src/base/clock.ts';
import { LmdbStore } from '../../src/store/lmdb/lmdb-store.ts';
import { put, until } from '../../src/store/suite/objects.ts';

const KEYS = 1_000;
const ROUND_MS = 60_000;
const KEPT_ROUNDS = 5;

test('the data file only grows with its objects and five minutes of history', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'orch-churn-'));
  t.after(() => rm(dir, { recursive: true }));
  const clock = new MovableClock();
  const store = LmdbStore.open({ dir, clock, dialect: 'orch', historyMs: KEPT_ROUNDS * ROUND_MS });
  const data = 'x'.repeat(1_000);
  const sizes: number[] = [];
  for (let round = 1; round <= 40; round++) {
    await Promise.all(
      Array.from({ length: KEYS }, (_, i) => put(store, `things/${(i * 389) % KEYS}`, { data })),
    );
    clock.advance(ROUND_MS);
    await until(() => store.compacted >= (round - KEPT_ROUNDS - 1) * KEYS);
    sizes.push(store.stats().bytes);
  }
  await store.close();
  const [early, late] = [sizes[14]!, sizes[39]!];
  assert.ok(late <= early * 1.1, `${early} bytes after 15 rounds, ${late} after 40`);
  t.diagnostic(`${late} bytes for ${KEYS} objects and ${KEPT_ROUNDS * KEYS} changes`);
});
