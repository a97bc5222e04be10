// Tests of the list cache: order, pagination, snapshots, eviction.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { concatChunks } from '../../base/chunk.ts';
import { systemClock } from '../../base/clock.ts';
import { MemoryStore } from '../memory/memory-store.ts';
import { Compacted } from '../store.ts';
import { ListReleased } from './lazy-view.ts';
import { ListCache, type ListPage } from './list-cache.ts';
import { colored, draft, namesOf, put, remove, type Thing, textOf, thingsOf } from './runs.fixture.ts';

const open = (options = {}) => {
  const store = new MemoryStore({ clock: systemClock });
  return { store, lists: new ListCache(store, options) };
};

const all = { prefix: 'things', keyPrefix: 'things/' };

test('a list of nothing is empty', async () => {
  const { lists } = open();
  const page = await lists.list(all);
  assert.equal(page.revision, 0);
  assert.equal(textOf(page), '');
});

test('list items are in key order, without kind and apiVersion', async () => {
  const { store, lists } = open();
  for (const name of ['b', 'c', 'a']) await put(store, name);
  await store.commit({ prefix: 'thingsmore', key: 'thingsmore/d', draft: draft('d', '') });
  const page = await lists.list(all);
  assert.equal(
    textOf(page),
    '{"metadata":{"name":"a","resourceVersion":"3"},"value":"x"},' +
      '{"metadata":{"name":"b","resourceVersion":"1"},"value":"x"},' +
      '{"metadata":{"name":"c","resourceVersion":"2"},"value":"x"}',
  );
  assert.equal(page.revision, 4);
});

test('an object of a page exposes its complete stored bytes', async () => {
  const { store, lists } = open();
  const { object } = await put(store, 'a');
  const [listed] = [...(await lists.list(all)).objects()];
  assert.deepEqual(listed?.json, object.json);
  assert.equal(listed?.key, 'things/a');
  assert.equal(listed?.labels, object.labels);
});

test('names beyond the basic plane sort by their UTF-8 bytes', async () => {
  const { store, lists } = open({ runBytes: 1 });
  const names = ['\u{10000}', '\uffee', 'é', 'z'];
  for (const name of names) await put(store, name);
  assert.deepEqual(namesOf(await lists.list(all)), ['z', 'é', '\uffee', '\u{10000}']);
  const page = await lists.list({ ...all, after: 'things/\uffee' });
  assert.deepEqual(namesOf(page), ['\u{10000}']);
});

test('a page has a continue key and the number of remaining items', async () => {
  const { store, lists } = open({ runBytes: 200 });
  for (let i = 10; i < 30; i++) await put(store, `n/${i}`);
  const first = await lists.list({ ...all, limit: 7 });
  assert.deepEqual([first.continueAfter, first.remaining], ['things/n/16', 13]);
  assert.equal(thingsOf(first).length, 7);
  const rest = await lists.list({ ...all, limit: 13, after: 'things/n/16' });
  assert.deepEqual([rest.continueAfter, rest.remaining], [undefined, undefined]);
  assert.equal(thingsOf(rest).length, 13);
});

test('with a selector a page has a continue key while any key follows, and no remaining count', async () => {
  const { store, lists } = open({ runBytes: 200 });
  for (let i = 10; i < 30; i++) await put(store, `n/${i}`, 'x', i % 5 === 0 ? 'blue' : 'red');
  const page = await lists.list({ ...all, limit: 4, select: colored('blue') });
  assert.deepEqual([page.continueAfter, page.remaining], ['things/n/25', undefined]);
  assert.deepEqual(namesOf(page), ['n/10', 'n/15', 'n/20', 'n/25']);
  const next = await lists.list({ ...all, limit: 4, select: colored('blue'), after: 'things/n/25' });
  assert.equal(next.continueAfter, undefined);
  assert.equal(textOf(next), '');
});

test('a list is a snapshot, also when it is read after later writes', async () => {
  const { store, lists } = open({ runBytes: 200 });
  for (let i = 10; i < 30; i++) await put(store, `${i}`);
  const cold = await lists.list(all);
  await put(store, '15', 'changed');
  await remove(store, '16');
  await put(store, '145', 'new');
  const warm = await lists.list(all);
  await put(store, '15', 'again');
  const before = Array.from({ length: 20 }, (_, i) => `${i + 10}`);
  assert.deepEqual(namesOf(cold), before);
  const after = thingsOf(warm);
  assert.deepEqual(
    after.map((item) => item.metadata.name),
    [...before.slice(0, 5), '145', '15', ...before.slice(7)],
  );
  assert.equal(after[6]!.value, 'changed');
});

test('a view is pinned only while runs must be read from it', async () => {
  const { store, lists } = open({ runBytes: 200 });
  let pinned = 0;
  const pin = store.pin.bind(store);
  store.pin = () => {
    const view = pin();
    pinned++;
    const release = view.release.bind(view);
    view.release = () => {
      pinned--;
      release();
    };
    return view;
  };
  for (let i = 10; i < 30; i++) await put(store, `${i}`);
  const cold = await lists.list(all);
  assert.equal(pinned, 1);
  textOf(cold);
  assert.equal(pinned, 0);
  const warm = await lists.list(all);
  assert.equal(pinned, 0);
  await put(store, '20', 'changed');
  const patched = await lists.list({ ...all, limit: 15 });
  assert.equal(pinned, 0);
  for (const page of [warm, patched]) textOf(page);
});

test('reading a released list throws instead of ending early', async () => {
  const { store, lists } = open({ runBytes: 200 });
  for (let i = 10; i < 30; i++) await put(store, `${i}`, 'y'.repeat(20_000));
  const page = await lists.list(all);
  const chunks = page.chunks()[Symbol.iterator]();
  assert.equal(chunks.next().done, false);
  page.release();
  assert.throws(() => chunks.next(), ListReleased);
  assert.throws(() => [...page.chunks()], ListReleased);
});

test('objects written under another schema are re-encoded, the others are passed through', async () => {
  const { store, lists } = open({ runBytes: 1 });
  await put(store, 'a');
  await put(store, 'b', 'x', 'red', 'm0');
  await put(store, 'c');
  const page = await lists.list(all);
  const encode = (object: { key: string }) => Buffer.from(`"${object.key}"`);
  const items = JSON.parse(`[${concatChunks(page.chunks({ schemaFingerprint: 'm1', encode }))}]`);
  assert.deepEqual(
    items.map((item: Thing | string) => (typeof item === 'string' ? item : item.metadata.name)),
    ['a', 'things/b', 'c'],
  );
});

test('a list of one key needs no index', async () => {
  const { store, lists } = open();
  await put(store, 'ns/a', 'first');
  const { revision } = await put(store, 'ns/b');
  await put(store, 'ns/a', 'second');
  const one = { prefix: 'things', keyPrefix: 'things/ns/', key: 'things/ns/a' };
  assert.equal(thingsOf(await lists.list(one))[0]?.value, 'second');
  assert.equal(thingsOf(await lists.list({ ...one, exactRevision: revision }))[0]?.value, 'first');
  assert.equal(textOf(await lists.list({ ...one, exactRevision: 0 })), '');
  assert.equal(textOf(await lists.list({ ...one, select: colored('blue') })), '');
  assert.equal(textOf(await lists.list({ ...one, key: 'things/ns/none' })), '');
});

test('a list at a compacted revision throws Compacted', async () => {
  const { store, lists } = open();
  for (let i = 0; i < 5; i++) await put(store, `${i}`);
  await store.compact(3);
  assert.throws(() => lists.list({ ...all, exactRevision: 2 }), Compacted);
  assert.deepEqual(namesOf(await lists.list({ ...all, exactRevision: 3 })), ['0', '1', '2']);
});

test('a list requested by a listener that runs before the cache still has the latest state', async () => {
  const store = new MemoryStore({ clock: systemClock });
  const answers: (ListPage | Promise<ListPage>)[] = [];
  const box: { lists?: ListCache } = {};
  store.subscribe(() => {
    if (box.lists) answers.push(box.lists.list(all));
  });
  box.lists = new ListCache(store);
  await put(store, 'a');
  await put(store, 'b');
  const pages = await Promise.all(answers);
  assert.deepEqual(pages.map(namesOf), [['a'], ['a', 'b']]);
});

test('the index of a large collection is built over several turns without losing writes', async () => {
  const { store, lists } = open({ runBytes: 2000 });
  for (let i = 0; i < 10_000; i++) await put(store, String(i).padStart(5, '0'), '');
  const asked = lists.list(all);
  assert.ok(asked instanceof Promise);
  await put(store, '00000a', '');
  await remove(store, '09999');
  const page = await asked;
  const names = namesOf(page);
  assert.equal(page.revision, 10_002);
  assert.equal(names.length, 10_000);
  assert.deepEqual(names.slice(0, 2), ['00000', '00000a']);
});

test('the cache stays below its bound and lists stay correct', async () => {
  const { store, lists } = open({ runBytes: 500, maxBytes: 20_000 });
  for (let i = 100; i < 300; i++) await put(store, `${i}`, 'y'.repeat(200));
  for (let round = 0; round < 3; round++) {
    assert.equal(thingsOf(await lists.list(all)).length, 200);
    assert.ok(lists.bytes > 10_000 && lists.bytes <= 20_000, `${lists.bytes} bytes`);
  }
});

test('a reset clears the cache', async () => {
  const { store, lists } = open();
  store.onReset(() => lists.reset());
  await put(store, 'a');
  textOf(await lists.list(all));
  store.reset();
  assert.equal(textOf(await lists.list(all)), '');
  await put(store, 'b');
  assert.deepEqual(namesOf(await lists.list(all)), ['b']);
});

test('a distant past revision is reconstructed over several turns, shared by concurrent lists', async () => {
  const { store, lists } = open({ runBytes: 500 });
  for (let i = 0; i < 9_000; i++) await put(store, `${i % 9}`, `${i}`);
  await remove(store, '0');
  const asked = [8_000, 20, 2_000, 9_000].map((at) => lists.list({ ...all, exactRevision: at }));
  assert.ok(asked[1] instanceof Promise);
  await put(store, '9', 'new');
  const last = (await Promise.all(asked)).map((page) => {
    const values = thingsOf(page).map((thing) => Number(thing.value));
    return [values.length, Math.max(...values)];
  });
  assert.deepEqual(last, [
    [9, 7_999],
    [9, 19],
    [9, 1_999],
    [9, 8_999],
  ]);
});
