// Tests of the memory backend: conformance suite, snapshot, restore, fork.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovableClock } from '../../base/clock.ts';
import { Compacted, PreconditionFailed } from '../store.ts';
import { dataOf, put } from '../suite/objects.ts';
import { suite } from '../suite.ts';
import { MemoryStore } from './memory-store.ts';

suite(
  'MemoryStore',
  async (clock) => {
    const store = new MemoryStore({ clock });
    return { store, reopen: async () => store, dispose: () => store.close() };
  },
  { isEphemeral: true },
);

test('MemoryStore.restore brings back the objects of a snapshot under a newer revision', async () => {
  const store = new MemoryStore({ clock: new MovableClock() });
  await put(store, 'things/a', { data: 'old' });
  const snapshot = store.snapshot();
  await put(store, 'things/a', { data: 'new' });
  await put(store, 'things/b');
  store.restore(snapshot);
  assert.equal(dataOf(store.get('things/a')), 'old');
  assert.equal(store.get('things/b'), undefined);
  assert.deepEqual([store.revision, store.compacted], [4, 4]);
  assert.throws(() => store.history('things', 3), Compacted);
  await assert.rejects(put(store, 'things/a', {}, 2), PreconditionFailed);
  assert.equal((await put(store, 'things/a', { data: 'next' }, 1)).revision, 5);
  store.restore(snapshot);
  assert.equal(dataOf(store.get('things/a')), 'old');
});

test('MemoryStore.reset empties the store and notifies reset listeners', async () => {
  const store = new MemoryStore({ clock: new MovableClock() });
  await put(store, 'things/a');
  let told = 0;
  const stop = store.onReset(() => told++);
  store.reset();
  assert.deepEqual([store.stats().objects, store.revision, told], [0, 2, 1]);
  stop();
  store.reset();
  assert.equal(told, 1);
});

test('MemoryStore.fork is independent of the original', async () => {
  const store = new MemoryStore({ clock: new MovableClock() });
  await put(store, 'things/a', { data: 'shared' });
  const fork = store.fork();
  await put(store, 'things/a', { data: 'first' });
  await put(fork, 'things/b', { data: 'second' });
  assert.deepEqual([dataOf(fork.get('things/a')), fork.revision, fork.compacted], ['shared', 2, 1]);
  assert.equal(store.get('things/b'), undefined);
});

test('MemoryStore.restore restores expiry times', async () => {
  const clock = new MovableClock();
  const store = new MemoryStore({ clock });
  await put(store, 'events/a', { expiresAt: clock.now() + 1_000 });
  const snapshot = store.snapshot();
  store.reset();
  clock.advance(500);
  store.restore(snapshot);
  const fork = store.fork();
  assert.ok(store.get('events/a'));
  clock.advance(1_000);
  assert.deepEqual([store.get('events/a'), fork.get('events/a')], [undefined, undefined]);
});

test('MemoryStore bounds the number of changes in its history', async () => {
  const store = new MemoryStore({ clock: new MovableClock(), historyChanges: 10 });
  for (let i = 0; i < 25; i++) await put(store, `things/${i}`);
  assert.deepEqual([store.compacted, store.stats().changes], [15, 10]);
});
