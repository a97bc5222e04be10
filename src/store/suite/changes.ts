// Conformance suite: revisions, deletions and the change feed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../store.ts';
import { dataOf, parsed, put, remove, summary } from './objects.ts';
import type { OpenStore } from './open-store.ts';

export function changesCases(open: OpenStore): void {
  test('revisions are consecutive, in the order of the calls', async () => {
    const { store, base, ordersAllKeys } = await open();
    const changes = await Promise.all(Array.from({ length: 300 }, (_, i) => put(store, `things/${i % 7}`)));
    const revisions = changes.map(({ revision }) => revision);
    const inOrder = Array.from({ length: 300 }, (_, i) => base + i + 1);
    if (ordersAllKeys) assert.deepEqual(revisions, inOrder);
    else assert.deepEqual(ascending(revisions), inOrder);
    for (let key = 0; key < 7; key++) {
      const ofKey = revisions.filter((_, i) => i % 7 === key);
      assert.deepEqual(ofKey, ascending(ofKey));
    }
    assert.equal(store.revision, base + 300);
    assert.equal(await store.head(), base + 300);
  });

  test('the revision is inserted into the JSON, whatever its length', async () => {
    const { store, base } = await open();
    for (let i = 1; i <= 101; i++) await put(store, 'things/a', { data: 'é', labels: { app: 'ü' } });
    assert.deepEqual(parsed(store.get('things/a')!), { revision: base + 101, data: 'é' });
  });

  test('a deletion carries the last state under its own revision', async () => {
    const { store, base } = await open();
    for (let i = 1; i <= 9; i++) await put(store, 'things/a', { data: `${i}`, labels: { step: `${i}` } });
    const deleted = await remove(store, 'things/a');
    assert.deepEqual(parsed(deleted.object), { revision: base + 10, data: '9' });
    assert.deepEqual(parsed(deleted.previous!), { revision: base + 9, data: '9' });
  });

  test('a change carries its commit time', async () => {
    const { store, clock } = await open();
    const startedAt = clock.now();
    const { committedAtMs } = await put(store, 'things/a');
    assert.ok(committedAtMs >= startedAt && committedAtMs <= clock.now());
  });

  test('a listener receives every change once, in order, before its commit resolves', async () => {
    const { store, base, ordersAllKeys } = await open();
    const delivered: Change[] = [];
    store.subscribe((changes) => {
      assert.ok(changes.length > 0);
      for (const change of changes) {
        assert.equal(store.revision >= change.revision, true);
        delivered.push(change);
      }
    });
    const commits = Array.from({ length: 100 }, async (_, i) => {
      const change = await put(store, `things/${i}`, { data: `${i}` });
      assert.equal(delivered.filter(({ revision }) => revision === change.revision).length, 1);
    });
    await Promise.all(commits);
    const revisions = delivered.map(({ revision }) => revision);
    assert.deepEqual(
      revisions,
      Array.from({ length: 100 }, (_, i) => base + i + 1),
    );
    const received = delivered.map((change) => summary(change).slice(1));
    if (!ordersAllKeys) received.sort((a, b) => Number(a[3]) - Number(b[3]));
    assert.deepEqual(
      received,
      Array.from({ length: 100 }, (_, i) => ['created', 'things', `things/${i}`, `${i}`, undefined]),
    );
  });

  test('a change is readable when listeners receive it', async () => {
    const { store, base } = await open();
    let read: string | undefined;
    store.subscribe(([change]) => {
      const view = store.pin();
      read = `${dataOf(store.get(change!.key))} ${dataOf(view.get(change!.key))} ${view.revision}`;
      view.release();
    });
    await put(store, 'things/a', { data: 'x' });
    assert.equal(read, `x x ${base + 1}`);
  });

  test('a rejected write produces no change', async () => {
    const { store } = await open();
    let delivered = 0;
    store.subscribe(() => delivered++);
    await assert.rejects(put(store, 'things/a', {}, 5));
    assert.equal(delivered, 0);
  });

  test('an unsubscribed listener receives nothing; the others still do', async () => {
    const { store } = await open();
    const delivered: string[] = [];
    const stop = store.subscribe(() => delivered.push('first'));
    store.subscribe(() => delivered.push('second'));
    await put(store, 'things/a');
    stop();
    await put(store, 'things/a');
    assert.deepEqual(delivered, ['first', 'second', 'second']);
  });

  test('a listener of some resources receives only their changes, in order', async () => {
    const { store, base } = await open();
    const received: number[] = [];
    const stop = store.subscribe(
      (changes) => received.push(...changes.map(({ revision }) => revision)),
      ['things', 'others'],
    );
    for (const key of ['things/a', 'more/a', 'others/a', 'things/a']) await put(store, key);
    await remove(store, 'things/a');
    stop();
    await put(store, 'things/a');
    assert.deepEqual(received, [base + 1, base + 3, base + 4, base + 5]);
  });

  test('a listener that throws keeps a change neither from its writer nor from the others', async () => {
    const { store, base } = await open();
    const failed: string[] = [];
    const received: number[] = [];
    store.listenerFailures.onFailure(({ key }) => failed.push(key));
    store.subscribe(() => {
      throw new Error('a bug of this listener');
    });
    store.subscribe((changes) => received.push(...changes.map(({ revision }) => revision)));
    await put(store, 'things/a');
    await put(store, 'things/b');
    assert.deepEqual(failed, ['things/a', 'things/b']);
    assert.deepEqual(received, [base + 1, base + 2]);
  });

  test('a listener may write; all listeners still receive changes in the same order', async () => {
    const { store, base } = await open();
    const delivered: number[][] = [[], []];
    let writeOfListener: Promise<unknown> | undefined;
    store.subscribe((changes) => {
      delivered[0]!.push(...changes.map(({ revision }) => revision));
      if (changes[0]!.key === 'things/first') writeOfListener = put(store, 'things/second');
    });
    store.subscribe((changes) => delivered[1]!.push(...changes.map(({ revision }) => revision)));
    await put(store, 'things/first');
    await writeOfListener;
    assert.deepEqual(delivered, [
      [base + 1, base + 2],
      [base + 1, base + 2],
    ]);
  });
}

function ascending(numbers: readonly number[]): number[] {
  return [...numbers].sort((a, b) => a - b);
}
