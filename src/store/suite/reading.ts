// Conformance suite: objects, key order, ranges and views.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { View } from '../store.ts';
import { dataOf, parsed, put, remove } from './objects.ts';
import type { OpenStore } from './open-store.ts';

export function readingCases(open: OpenStore): void {
  test('an object that was read does not change', async () => {
    const { store, base } = await open();
    await put(store, 'things/a', { data: 'before' });
    await put(store, 'things/b', { data: 'other' });
    const object = store.get('things/a')!;
    await put(store, 'things/a', { data: 'after!' });
    for (let i = 0; i < 100; i++) store.get(i % 2 ? 'things/a' : 'things/b');
    assert.deepEqual(parsed(object), { revision: base + 1, data: 'before' });
  });

  test('labels, fields and expiry are stored with the object', async () => {
    const { store, clock } = await open();
    const expiresAt = clock.now() + 3_600_000.5;
    await put(store, 'things/a', {
      labels: { app: 'web', tier: 'ä' },
      fields: { type: 'Opaque' },
      expiresAt,
    });
    await put(store, 'things/b');
    const [a, b] = [store.get('things/a')!, store.get('things/b')!];
    assert.deepEqual(
      [a.labels, a.selectableFields, a.expiresAtMs],
      ['app\0web\0tier\0ä\0', 'type\0Opaque\0', expiresAt],
    );
    assert.deepEqual([b.labels, b.selectableFields, b.expiresAtMs], ['', '', undefined]);
  });

  test('a large object is stored whole', async () => {
    const { store, base } = await open();
    const data = 'large ✓ '.repeat(400_000);
    await put(store, 'things/large', { data });
    await put(store, 'things/small', { data: 's' });
    assert.equal(dataOf(store.get('things/large')), data);
    const view = store.pin();
    assert.deepEqual([...view.range('things/')].map(dataOf), [data, 's']);
    view.release();
    const [created] = store.history('things', base);
    assert.equal(dataOf(created!.object), data);
  });

  test('keys of all scripts are distinct and in byte order', async () => {
    const { store } = await open();
    const names = [
      'z',
      'ä',
      'a',
      'é',
      '🙂',
      '\uffee',
      '名',
      'a-b',
      'a.b',
      'A',
      '\u{10fffd}',
      '\ud7ff',
      'ß/🙃',
    ];
    await Promise.all(names.map((name) => put(store, `things/${name}`, { data: name })));
    const keys = names.map((name) => `things/${name}`);
    const sorted = keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const view = store.pin();
    assert.deepEqual([...view.keys('things/')], sorted);
    sorted.forEach((key, i) => {
      assert.equal(store.get(key)?.key, key);
      assert.deepEqual([...view.keys('things/', key)], sorted.slice(i + 1));
    });
    view.release();
  });

  test('a range returns the keys with its prefix, after its start key', async () => {
    const { store } = await open();
    for (const key of ['a/1', 'a/x/1', 'a/x/2', 'a/x/3', 'a/xx/1', 'a/y/1', 'ab/x/1', 'b/1'])
      await put(store, key);
    const view = store.pin();
    const range = (prefix: string, after?: string) => {
      const keys = [...view.keys(prefix, after)];
      assert.deepEqual(
        [...view.range(prefix, after)].map(({ key }) => key),
        keys,
      );
      return keys;
    };
    assert.deepEqual(range('a/x/'), ['a/x/1', 'a/x/2', 'a/x/3']);
    assert.deepEqual(range('a/x/', 'a/x/1'), ['a/x/2', 'a/x/3']);
    assert.deepEqual(range('a/x/', 'a/x/11'), ['a/x/2', 'a/x/3']);
    assert.deepEqual(range('a/x/', 'a/x/3'), []);
    assert.deepEqual(range('a/x/', 'a'), ['a/x/1', 'a/x/2', 'a/x/3']);
    assert.deepEqual(range('a/x/', 'b'), []);
    assert.equal(range('a/').length, 6);
    assert.equal(range('').length, 8);
    assert.deepEqual(range('c/'), []);
    view.release();
  });

  test('a view is a stable snapshot while others write', async () => {
    const { store, base } = await open();
    const count = 700;
    await Promise.all(Array.from({ length: count }, (_, i) => put(store, `things/${i}`, { data: 'old' })));
    const view = store.pin();
    const seen: (string | undefined)[] = [];
    for (const object of view.range('things/')) {
      if (seen.length % 100 === 0) {
        await Promise.all([
          ...Array.from({ length: 50 }, (_, i) => put(store, `things/${seen.length + i}`, { data: 'new' })),
          put(store, `things/new-${seen.length}`),
        ]);
        await setTimeout(1);
      }
      seen.push(dataOf(object));
    }
    await remove(store, 'things/5');
    assert.deepEqual([seen.length, seen.every((data) => data === 'old')], [count, true]);
    assert.equal(dataOf(view.get('things/5')), 'old');
    assert.equal(view.get('things/new-0'), undefined);
    assert.equal(view.revision, base + count);
    view.release();
    const now = store.pin();
    assert.equal(now.get('things/5'), undefined);
    assert.equal(now.revision, store.revision);
    now.release();
  });

  test('many views may be held at once, and each sees its own state', async () => {
    const { store, base } = await open();
    const views: View[] = [];
    for (let i = 1; i <= 60; i++) {
      await put(store, 'things/a', { data: `${i}` });
      views.push(store.pin());
    }
    views.forEach((view, i) => {
      assert.deepEqual([view.revision, dataOf(view.get('things/a'))], [base + i + 1, `${i + 1}`]);
    });
    for (const view of views) view.release();
  });

  test('a range may be abandoned and its view released during iteration', async () => {
    const { store } = await open();
    await Promise.all(Array.from({ length: 100 }, (_, i) => put(store, `things/${i}`)));
    const view = store.pin();
    const range = view.range('things/')[Symbol.iterator]();
    range.next();
    view.release();
    view.release();
    await put(store, 'things/1', { data: 'more' });
    assert.equal(dataOf(store.get('things/1')), 'more');
  });

  test('stats count objects, changes and bytes', async () => {
    const { store } = await open();
    await Promise.all(Array.from({ length: 10 }, (_, i) => put(store, `things/${i}`)));
    await remove(store, 'things/3');
    const { objects, changes, bytes } = store.stats();
    assert.deepEqual([objects, changes], [9, 11]);
    assert.ok(bytes > 500);
  });
}
