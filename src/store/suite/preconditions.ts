// Conformance suite: preconditions and concurrent writers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidKey, PreconditionFailed, StorageUnavailable, type Store } from '../store.ts';
import { dataOf, draftOf, put, remove, writeTo } from './objects.ts';
import type { OpenStore } from './open-store.ts';

export function preconditionCases(open: OpenStore): void {
  test('a write that requires absence succeeds once', async () => {
    const { store, base } = await open();
    await put(store, 'things/a', { data: 'first' }, 0);
    const failure = await expectPreconditionFailure(put(store, 'things/a', { data: 'second' }, 0));
    assert.equal(failure.key, 'things/a');
    assert.equal(dataOf(failure.current), 'first');
    assert.equal(dataOf(store.get('things/a')), 'first');
    assert.equal(store.revision, base + 1);
  });

  test('a write that requires a revision succeeds only at that revision', async () => {
    const { store, base } = await open();
    await put(store, 'things/a', { data: '1' });
    await put(store, 'things/a', { data: '2' }, base + 1);
    const failure = await expectPreconditionFailure(put(store, 'things/a', { data: '3' }, base + 1));
    assert.equal(failure.current?.revision, base + 2);
    const missing = await expectPreconditionFailure(put(store, 'things/b', {}, base + 1));
    assert.equal(missing.current, undefined);
    assert.equal(store.revision, base + 2);
  });

  test('a write without a precondition always succeeds', async () => {
    const { store } = await open();
    const created = await put(store, 'things/a', { data: '1' });
    const updated = await put(store, 'things/a', { data: '2' });
    assert.deepEqual([created.type, updated.type], ['created', 'updated']);
    assert.equal(dataOf(updated.previous), '1');
  });

  test('a deletion fails if the key is absent or has another revision', async () => {
    const { store, base } = await open();
    assert.equal((await expectPreconditionFailure(remove(store, 'things/a'))).current, undefined);
    assert.equal((await expectPreconditionFailure(remove(store, 'things/a', 0))).current, undefined);
    await put(store, 'things/a', { data: '1' });
    await expectPreconditionFailure(remove(store, 'things/a', base + 7));
    const deleted = await remove(store, 'things/a', base + 1);
    assert.equal(deleted.type, 'deleted');
    assert.equal(store.get('things/a'), undefined);
    await put(store, 'things/a', { data: 'again' }, 0);
  });

  test('of concurrent creations of one key, one succeeds and the others fail with its object', async () => {
    const { store, base } = await open();
    const attempts = Array.from({ length: 20 }, (_, i) => put(store, 'things/a', { data: `${i}` }, 0));
    const results = await Promise.allSettled(attempts);
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      assert.ok(result.reason instanceof PreconditionFailed);
      assert.equal(result.reason.current?.revision, store.get('things/a')?.revision);
    }
    assert.equal(store.revision, base + 1);
  });

  test('no update is lost when many writers change one key', async () => {
    const { store, base } = await open();
    await put(store, 'things/counter', { data: '0' });
    await Promise.all(Array.from({ length: 16 }, () => incrementTenTimes(store)));
    assert.equal(dataOf(store.get('things/counter')), '160');
    assert.equal(store.revision, base + 161);
  });

  test('writes to one key in the same turn see each other', async () => {
    const { store } = await open();
    const changes = await Promise.all([
      put(store, 'things/a', { data: '1' }),
      put(store, 'things/a', { data: '2' }),
      remove(store, 'things/a'),
      put(store, 'things/a', { data: '3' }, 0),
    ]);
    assert.deepEqual(
      changes.map(({ type, previous }) => [type, dataOf(previous)]),
      [
        ['created', undefined],
        ['updated', '1'],
        ['deleted', '2'],
        ['created', undefined],
      ],
    );
    assert.equal(dataOf(store.get('things/a')), '3');
  });

  test('a key that cannot be stored is rejected', async () => {
    const { store, base } = await open();
    for (const key of [
      `things/${'x'.repeat(2_000)}`,
      `things/${'ä'.repeat(1_000)}`,
      'things/\0',
      'things/\ud800',
    ]) {
      await assert.rejects(put(store, key), InvalidKey);
      assert.equal(store.get(key), undefined);
    }
    const keyOfOtherResource = { prefix: 'things', key: 'others/a', draft: draftOf() };
    await assert.rejects(store.commit(keyOfOtherResource), InvalidKey);
    assert.equal(store.get(''), undefined);
    assert.equal(store.revision, base);
    await put(store, `things/${'x'.repeat(1_900)}`);
  });

  test('a closed store rejects writes and completes pending ones', async () => {
    const { store, base } = await open();
    const pending = put(store, 'things/a');
    const closed = store.close();
    await assert.rejects(store.commit(writeTo('things/b')), StorageUnavailable);
    assert.equal((await pending).revision, base + 1);
    await closed;
  });
}

/** Asserts that the write fails with PreconditionFailed, and returns the error. */
async function expectPreconditionFailure(attempt: Promise<unknown>): Promise<PreconditionFailed> {
  let failure: PreconditionFailed | undefined;
  await assert.rejects(attempt, (error) => {
    assert.ok(error instanceof PreconditionFailed);
    failure = error;
    return true;
  });
  return failure!;
}

async function incrementTenTimes(store: Store): Promise<void> {
  for (let done = 0; done < 10; ) {
    const current = store.get('things/counter')!;
    try {
      await put(store, 'things/counter', { data: String(Number(dataOf(current)) + 1) }, current.revision);
      done++;
    } catch (error) {
      assert.ok(error instanceof PreconditionFailed);
    }
  }
}
