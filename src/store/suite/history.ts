// Conformance suite: history and compaction.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compacted } from '../store.ts';
import { draftOf, put, remove, summary } from './objects.ts';
import type { OpenStore } from './open-store.ts';

export function historyCases(open: OpenStore): void {
  test('history from any revision equals the changes received since', async () => {
    const { store, base } = await open();
    const delivered: unknown[][] = [];
    store.subscribe((changes) => delivered.push(...changes.map(summary)));
    const commits: Promise<unknown>[] = [];
    for (let i = 0; i < 300; i++) {
      const key = `things/${i % 11}`;
      const keyOfOthers = `others/${i % 3}`;
      if (i % 20 === 0) await Promise.all(commits);
      commits.push(
        i % 33 > 22 && i % 5 === 0 ? remove(store, key) : put(store, key),
        put(store, keyOfOthers),
      );
    }
    await Promise.all(commits);
    const ofThings = delivered.filter(([, , prefix]) => prefix === 'things');
    for (const after of [0, 1, 100, 255, 256, 500, 599, 600].map((each) => base + each)) {
      assert.deepEqual(
        [...store.history('things', after)].map(summary),
        ofThings.filter(([revision]) => Number(revision) > after),
      );
    }
    assert.deepEqual(
      [...store.history('things', base + 10, base + 20)].map(({ revision }) => revision),
      ofThings
        .map(([revision]) => Number(revision))
        .filter((revision) => revision > base + 10 && revision <= base + 20),
    );
    assert.deepEqual([...store.history('things', base + 600, base + 9_999)], []);
  });

  test('history keeps resources apart whose prefixes start alike', async () => {
    const { store, base } = await open();
    for (const key of ['pod/a', 'pods/a', 'pods/b', 'po/a']) await put(store, key);
    const keys = (prefix: string) => [...store.history(prefix, base)].map(({ key }) => key);
    assert.deepEqual(
      [keys('pods'), keys('pod'), keys('po'), keys('p')],
      [['pods/a', 'pods/b'], ['pod/a'], ['po/a'], []],
    );
  });

  test('history of a resource whose prefix has a slash', async () => {
    const { store, base } = await open();
    const draft = draftOf();
    await store.commit({ prefix: 'apps/deployments', key: 'apps/deployments/default/web', draft });
    await store.commit({ prefix: 'apps/replicasets', key: 'apps/replicasets/default/web', draft });
    const [change, ...more] = store.history('apps/deployments', base);
    assert.deepEqual(
      [change?.prefix, change?.key, more],
      ['apps/deployments', 'apps/deployments/default/web', []],
    );
  });

  test('history can be limited to keys with a prefix', async () => {
    const { store, base } = await open();
    for (const key of ['a/x/1', 'a/y/1', 'a/x/2', 'a/x', 'a/xx/1', 'a/x/1']) await put(store, key);
    const revisionsUnder = (keyPrefix: string) =>
      [...store.history('a', base, undefined, keyPrefix)].map(({ revision }) => revision - base);
    assert.deepEqual(
      [revisionsUnder('a/x/'), revisionsUnder('a/x/1'), revisionsUnder('a/z/')],
      [[1, 3, 6], [1, 6], []],
    );
  });

  test('compaction discards older history and nothing else', async () => {
    const { store, base } = await open();
    for (let i = 1; i <= 20; i++) await put(store, `things/${i}`);
    assert.equal(store.compacted, base);
    await store.compact(base + 12);
    assert.equal(store.compacted, base + 12);
    assert.throws(
      () => store.history('things', base + 11),
      (error) => error instanceof Compacted && error.compacted === base + 12,
    );
    const revisions = [...store.history('things', base + 12)].map(({ revision }) => revision - base);
    assert.deepEqual(revisions, [13, 14, 15, 16, 17, 18, 19, 20]);
    assert.equal(store.get('things/1')?.revision, base + 1);
    await store.compact(base + 5);
    assert.equal(store.compacted, base + 12);
    await store.compact(base + 1_000);
    assert.deepEqual([store.compacted, [...store.history('things', base + 20)]], [base + 20, []]);
    await put(store, 'things/1');
    assert.deepEqual(
      [...store.history('things', base + 20)].map(({ revision }) => revision),
      [base + 21],
    );
  });

  test('each change has the states before and after it, wherever history begins', async () => {
    const { store, base } = await open();
    const delivered: unknown[][] = [];
    store.subscribe((changes) => delivered.push(...changes.map(summary)));
    for (const key of ['things/kept', 'things/late', 'things/gone']) await put(store, key, { data: 'old' });
    await store.compact(base + 3);
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
      await store.compact(base + after);
      assert.deepEqual([...store.history('things', base + after)].map(summary), delivered.slice(after));
    }
  });

  test('history that is compacted during iteration throws Compacted', async () => {
    const { store, base } = await open();
    await Promise.all(Array.from({ length: 1_000 }, (_, i) => put(store, `things/${i}`)));
    const history = store.history('things', base)[Symbol.iterator]();
    assert.equal(history.next().value?.revision, base + 1);
    await store.compact(base + 900);
    assert.throws(() => {
      for (let last = base + 1; ; last++) assert.equal(history.next().value?.revision, last + 1);
    }, Compacted);
  });
}
