// Tests of the cache of large objects.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { MovableClock } from '../../base/clock.ts';
import { dataOf, put } from '../suite/objects.ts';
import { LmdbStore } from './lmdb-store.ts';

const dir = await mkdtemp(join(tmpdir(), 'orch-store-'));
const store = LmdbStore.open({ dir, clock: new MovableClock(), dialect: 'orch' });
after(async () => {
  await store.close();
  await rm(dir, { recursive: true });
});

const text = (length: number, last: string) => 'x'.repeat(length) + last;

test('a large object is read once, until the next commit', async () => {
  await put(store, 'pods/large', { data: text(100_000, 'a') });
  await put(store, 'pods/small', { data: 'b' });
  const [large, small] = [store.get('pods/large'), store.get('pods/small')];
  assert.equal(store.get('pods/large'), large);
  assert.notEqual(store.get('pods/small'), small);
  await put(store, 'pods/large', { data: text(100_000, 'c') });
  assert.equal(dataOf(store.get('pods/large'))?.at(-1), 'c');
  assert.equal(dataOf(large)?.at(-1), 'a');
});

test('at most 8 MiB are kept', async () => {
  for (let i = 0; i < 9; i++) await put(store, `pods/p${i}`, { data: text(1024 * 1024, String(i)) });
  const first = store.get('pods/p0');
  assert.equal(store.get('pods/p0'), first);
  for (let i = 1; i < 9; i++) store.get(`pods/p${i}`);
  assert.notEqual(store.get('pods/p0'), first);
});
