import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compacted } from '../store.ts';
import type { OpenStore } from '../suite.ts';
import { draftOf, put, remove, summary } from './objects.ts';

export function historyCases(open: OpenStore): void {
  test('history from any revision is what was heard since', async () => {
    const { store } = await open();
    const heard: unknown[][] = [];
    store.subscribe((changes) => heard.push(...changes.map(summary)));
    const commits: Promise<unknown>[] = [];
    for (let i = 0; i < 300; i++) {
      const [key, other] = [`things/${i % 11}`, `others/${i % 3}`];
      if (i % 20 === 0) await Promise.all(commits);
      commits.push(i % 33 > 22 && i % 5 === 0 ? remove(store, key) : put(store, key), put(store, other));
    }
    await Promise.all(commits);
    const ofThings = heard.filter(([, , prefix]) => prefix === 'things');
    for (const after of [0, 1, 100, 255, 256, 500, 599, 600]) {
      assert.deepEqual(
        [...store.history('things', after)].map(summary),
        ofThings.filter(([revision]) => Number(revision) > after),
      );
    }
    assert.deepEqual(
      [...store.history('things', 10, 20)].map(({ revision }) => revision),
      ofThings.map(([revision]) => Number(revision)).filter((revision) => revision > 10 && revision <= 20),
    );
    assert.deepEqual([...store.history('things', 600, 9_999)], []);
  });

  test('history keeps resources apart whose names begin alike', async () => {
    const { store } = await open();
    for (const key of ['pod/a', 'pods/a', 'pods/b', 'po/a']) await put(store, key);
    const keys = (prefix: string) => [...store.history(prefix, 0)].map(({ key }) => key);
    assert.deepEqual(
      [keys('pods'), keys('pod'), keys('po'), keys('p')],
      [['pods/a', 'pods/b'], ['pod/a'], ['po/a'], []],
    );
  });

  test('history of a resource whose prefix has a slash', async () => {
    const { store } = await open();
    const draft = draftOf();
    await store.commit({ prefix: 'apps/deployments', key: 'apps/deployments/default/web', draft });
    await store.commit({ prefix: 'apps/replicasets', key: 'apps/replicasets/default/web', draft });
    const [change, ...more] = store.history('apps/deployments', 0);
    assert.deepEqual(
      [change?.prefix, change?.key, more],
      ['apps/deployments', 'apps/deployments/default/web', []],
    );
  });

  test('history can be narrowed to keys that begin with a text', async () => {
    const { store } = await open();
    for (const key of ['a/x/1', 'a/y/1', 'a/x/2', 'a/x', 'a/xx/1', 'a/x/1']) await put(store, key);
    const under = (text: string) =>
      [...store.history('a', 0, undefined, text)].map(({ revision }) => revision);
    assert.deepEqual([under('a/x/'), under('a/x/1'), under('a/z/')], [[1, 3, 6], [1, 6], []]);
  });

  test('compaction forgets what lies before it and nothing else', async () => {
    const { store } = await open();
    for (let i = 1; i <= 20; i++) await put(store, `things/${i}`);
    assert.equal(store.compacted, 0);
    await store.compact(12);
    assert.equal(store.compacted, 12);
    assert.throws(
      () => store.history('things', 11),
      (error) => error instanceof Compacted && error.compacted === 12,
    );
    const revisions = [...store.history('things', 12)].map(({ revision }) => revision);
    assert.deepEqual(revisions, [13, 14, 15, 16, 17, 18, 19, 20]);
    assert.equal(store.get('things/1')?.revision, 1);
    await store.compact(5);
    assert.equal(store.compacted, 12);
    await store.compact(1_000);
    assert.deepEqual([store.compacted, [...store.history('things', 20)]], [20, []]);
    await put(store, 'things/1');
    assert.deepEqual(
      [...store.history('things', 20)].map(({ revision }) => revision),
      [21],
    );
  });

  test('each change has the states before and after it, wherever history begins', async () => {
    const { store } = await open();
    const heard: unknown[][] = [];
    store.subscribe((changes) => heard.push(...changes.map(summary)));
    for (const key of ['things/kept', 'things/late', 'things/gone']) await put(store, key, { data: 'old' });
    await store.compact(3);
    await Promise.all([
      put(store, 'things/late', { data: 'new' }),
      remove(store, 'things/gone'),
      put(store, 'things/gone', { data: 'again' }),
      put(store, 'things/gone', { data: 'and again' }),
      remove(store, 'things/gone'),
    ]);
    await put(store, 'things/gone', { data: 'last' });
    await put(store, 'things/late', { data: 'newer' });
    await put(store, 'things/kept', { data: 'new' });
    for (let after = 3; after <= 11; after++) {
      await store.compact(after);
      assert.deepEqual([...store.history('things', after)].map(summary), heard.slice(after));
    }
  });

  test('history that is compacted while it is read says so', async () => {
    const { store } = await open();
    await Promise.all(Array.from({ length: 1_000 }, (_, i) => put(store, `things/${i}`)));
    const history = store.history('things', 0)[Symbol.iterator]();
    assert.equal(history.next().value?.revision, 1);
    await store.compact(900);
    assert.throws(() => {
      for (let last = 1; ; last++) assert.equal(history.next().value?.revision, last + 1);
    }, Compacted);
  });
}
