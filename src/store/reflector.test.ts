// Tests of Reflector: initial fill, change feed, reset.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovableClock } from '../base/clock.ts';
import { MemoryStore } from './memory/memory-store.ts';
import { Reflector } from './reflector.ts';

function followed(store: MemoryStore) {
  const keys = new Set<string>();
  const follower = new Reflector(store, 'things', {
    add: ({ key }) => keys.add(key),
    remove: ({ key }) => keys.delete(key),
    clear: () => keys.clear(),
  });
  return { keys, follower };
}

async function put(store: MemoryStore, name: string, isThere = true): Promise<void> {
  const json = Buffer.from('{"metadata":{"resourceVersion":""}}');
  const draft = {
    json,
    revisionOffset: 32,
    listItemOffset: 1,
    labels: '',
    selectableFields: '',
    schemaFingerprint: '',
  };
  await store.commit({ prefix: 'things', key: `things/${name}`, draft: isThere ? draft : null });
}

const count = 1000;
const name = (i: number) => String(i).padStart(4, '0');

async function filled(): Promise<MemoryStore> {
  const store = new MemoryStore({ clock: new MovableClock() });
  for (let i = 0; i < count; i++) await put(store, name(i));
  return store;
}

test('an index contains existing objects and follows changes, after catchUp and after warmUp', async () => {
  for (const way of ['sync', 'warmUp'] as const) {
    const store = await filled();
    const { keys, follower } = followed(store);
    assert.equal(keys.size, 0, 'nothing is read before');
    await follower[way]();
    assert.equal(keys.size, count);
    await put(store, 'new');
    await put(store, name(5), false);
    assert.equal(keys.has('things/new'), true);
    assert.equal(keys.has(`things/${name(5)}`), false);
  }
});

test('changes during warmUp are not missed, and catchUp completes it early', async () => {
  const store = await filled();
  const { keys, follower } = followed(store);
  const warm = follower.warmUp();
  assert.ok(keys.size > 0 && keys.size < count);
  await put(store, name(1), false);
  await put(store, name(count - 1), false);
  await put(store, '00005');
  await put(store, 'zzz');
  follower.sync();
  const expected = [...store.pin().keys('things/')].sort();
  assert.deepEqual([...keys].sort(), expected);
  await warm;
  assert.deepEqual([...keys].sort(), expected);
});

test('after a reset an index is filled again', async () => {
  const store = await filled();
  const { keys, follower } = followed(store);
  follower.sync();
  follower.reset();
  assert.equal(keys.size, 0);
  follower.sync();
  assert.equal(keys.size, count);
});

test('an object on which the index throws is quarantined until its next change; the others are not affected', async () => {
  for (const hasUpdate of [false, true]) {
    const store = new MemoryStore({ clock: new MovableClock() });
    const { listenerFailures } = store;
    const failed: string[] = [];
    listenerFailures.onFailure(({ key }) => failed.push(key));
    const keys = new Set<string>();
    let isFailing = true;
    const add = ({ key }: { readonly key: string }) => {
      // A part of the object is in the index when it fails.
      keys.add(key);
      if (isFailing && key === 'things/bad') throw new Error('a bug of the index');
    };
    const follower = new Reflector(store, 'things', {
      add,
      remove: ({ key }) => keys.delete(key),
      ...(hasUpdate && { update: (_previous: unknown, object: { readonly key: string }) => add(object) }),
      clear: () => keys.clear(),
    });
    await put(store, 'bad');
    await put(store, 'good');
    follower.sync();
    assert.deepEqual([...keys], ['things/good'], 'after the initial list');
    isFailing = false;
    await put(store, 'bad');
    assert.deepEqual([...keys], ['things/good', 'things/bad']);
    assert.equal(listenerFailures.quarantined, 0);
    isFailing = true;
    await put(store, 'bad');
    await put(store, 'new');
    assert.deepEqual([...keys], ['things/good', 'things/new'], 'after a change');
    assert.equal(listenerFailures.quarantined, 1);
    await put(store, 'bad', false);
    assert.equal(listenerFailures.quarantined, 0);
    assert.deepEqual(failed, ['things/bad', 'things/bad']);
  }
});
