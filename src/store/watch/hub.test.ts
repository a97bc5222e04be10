// Tests of the watch hub: start positions, selections, shared buffers, counters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colored, put, putOther, remove } from '../lists/runs.fixture.ts';
import { Compacted } from '../store.ts';
import { json, lateJson, openHub, settle } from './fixture.ts';
import { jsonEvent, type WatchFormat } from './hub.ts';

test('a watch from now receives later changes in order', async () => {
  const { store, watch } = openHub();
  await put(store, 'a');
  const { reader } = watch();
  await put(store, 'b');
  await put(store, 'a', 'y');
  await putOther(store);
  await remove(store, 'b');
  await settle();
  assert.deepEqual(reader.events, ['ADDED b@2 x', 'MODIFIED a@3 y', 'DELETED b@5 x']);
});

test('a watch from a revision replays history, then continues without gaps or duplicates', async () => {
  const { store, watch } = openHub();
  for (let i = 1; i <= 5; i++) await put(store, `${i}`);
  const { reader } = watch({ start: { after: 2 } });
  await put(store, '6');
  await settle();
  await put(store, '7');
  await settle();
  assert.deepEqual(
    reader.events,
    [3, 4, 5, 6, 7].map((i) => `ADDED ${i}@${i} x`),
  );
});

test('an object that starts to match is ADDED, one that stops matching is DELETED with its last matching state', async () => {
  const { store, watch } = openHub();
  await put(store, 'a', 'one', 'red');
  const live = watch({ select: colored('blue') }).reader;
  const replayed = watch({ select: colored('blue'), start: { after: 0 } }).reader;
  await put(store, 'a', 'two', 'blue');
  await put(store, 'a', 'three', 'blue');
  await put(store, 'a', 'four', 'red');
  await put(store, 'a', 'five', 'green');
  await remove(store, 'a');
  await put(store, 'b', 'six', 'blue');
  await remove(store, 'b');
  await settle();
  const expected = [
    'ADDED a@2 two',
    'MODIFIED a@3 three',
    'DELETED a@4 three',
    'ADDED b@7 six',
    'DELETED b@8 six',
  ];
  assert.deepEqual(live.events, expected);
  assert.deepEqual(replayed.events, expected);
});

test('watchers of a namespace or of one object receive only its events', async () => {
  const { store, watch } = openHub();
  const namespace = watch({ keyPrefix: 'things/n1/' }).reader;
  const one = watch({ keyPrefix: 'things/n1/', key: 'things/n1/a' }).reader;
  const replayed = watch({ keyPrefix: 'things/n1/', key: 'things/n1/a', start: { after: 0 } }).reader;
  await put(store, 'n1/a');
  await put(store, 'n1/ab');
  await put(store, 'n2/a');
  await put(store, 'n1');
  await settle();
  assert.deepEqual(namespace.events, ['ADDED n1/a@1 x', 'ADDED n1/ab@2 x']);
  assert.deepEqual(one.events, ['ADDED n1/a@1 x']);
  assert.deepEqual(replayed.events, ['ADDED n1/a@1 x']);
});

test('all watchers of a channel are sent the same buffer, and events of one turn come together', async () => {
  const { store, watch } = openHub();
  const readers = Array.from({ length: 5 }, () => watch().reader);
  await put(store, 'a');
  await put(store, 'b');
  await settle();
  for (const reader of readers) {
    assert.equal(reader.frames.length, 1);
    assert.equal(reader.frames[0], readers[0]!.frames[0]);
  }
});

test('an event is encoded once for all channels of a format', async () => {
  const { store, watch } = openHub();
  let encoded = 0;
  const format: WatchFormat = {
    ...json,
    event(type, object) {
      encoded++;
      return jsonEvent(type, object.json);
    },
  };
  watch({ format });
  watch({ format, select: colored('red') });
  watch({ format, keyPrefix: 'things/n/' });
  watch({ format: { ...format, id: 'another' } });
  await put(store, 'n/a');
  await settle();
  assert.equal(encoded, 2);
});

test('a watch can send the initial state, mark its end with a bookmark, and continue', async () => {
  const { store, watch, lists } = openHub();
  for (const name of ['b', 'a', 'c']) await put(store, name);
  const page = await lists.list({ prefix: 'things', keyPrefix: 'things/' });
  await put(store, 'a', 'later');
  const { reader } = watch({ start: { page, announceEnd: true }, bookmarks: true });
  await put(store, 'd');
  await settle();
  assert.deepEqual(reader.events, [
    'ADDED a@2 x',
    'ADDED b@1 x',
    'ADDED c@3 x',
    'BOOKMARK 3 end',
    'MODIFIED a@4 later',
    'ADDED d@5 x',
  ]);
});

test('a watch from a future revision waits for it', async () => {
  const { store, watch } = openHub();
  const { reader } = watch({ start: { after: 2 } });
  for (const name of ['a', 'b', 'c', 'd']) await put(store, name);
  await settle();
  assert.deepEqual(reader.events, ['ADDED c@3 x', 'ADDED d@4 x']);
});

test('a watch from a compacted revision is rejected', async () => {
  const { store, watch } = openHub();
  for (let i = 0; i < 5; i++) await put(store, `${i}`);
  await store.compact(3);
  assert.throws(() => watch({ start: { after: 2 } }), Compacted);
  const { reader } = watch({ start: { after: 3 } });
  await settle();
  assert.equal(reader.events.length, 2);
});

test('a watch whose history is compacted during replay ends as expired', async () => {
  const { store, watch } = openHub();
  for (let i = 0; i < 5; i++) await put(store, `${i}`);
  const { reader } = watch({ start: { after: 1 } });
  await store.compact(3);
  await settle();
  assert.equal(reader.end, 'expired');
});

test('events and bytes are counted by resource', async () => {
  const { store, hub, watch } = openHub();
  const { reader } = watch();
  watch();
  await put(store, 'a');
  await settle();
  assert.deepEqual(hub.counts.get('things'), { watchers: 2, events: 2, bytes: 2 * reader.frames[0]!.length });
});

test('events that follow a large one wait for it, and the watcher gets bookmarks again afterwards', async () => {
  const { store, clock, watch } = openHub({ bookmarkIntervalMs: 1_000 });
  let encode = () => {};
  const encoded = new Promise<void>((resolve) => {
    encode = resolve;
  });
  let starts = 0;
  const format = lateJson(1_000, () => encoded);
  const readers = [1, 2].map(() => watch({ format, bookmarks: true, onStarted: () => starts++ }).reader);
  const other = watch({ bookmarks: true }).reader;
  await put(store, 'a', 'small');
  const large = 'x'.repeat(1_000);
  await put(store, 'b', large);
  await put(store, 'c', 'small');
  await settle();
  clock.advance(1_000);
  for (const { events } of readers) assert.deepEqual(events, ['ADDED a@1 small']);
  assert.deepEqual(other.events, ['ADDED a@1 small', `ADDED b@2 ${large}`, 'ADDED c@3 small', 'BOOKMARK 3']);
  encode();
  await settle();
  clock.advance(1_000);
  for (const { events } of readers) assert.deepEqual(events, other.events.slice(0, 4));
  assert.equal(starts, 2);
});

test('a watch whose large event cannot be encoded ends as failed', async () => {
  const { store, watch } = openHub();
  const format = lateJson(1_000, () => Promise.reject(new Error('no worker')));
  const { reader } = watch({ format });
  const { reader: other } = watch();
  await put(store, 'a', 'x'.repeat(1_000));
  await settle();
  assert.equal(reader.end, 'failed');
  assert.equal(other.end, undefined);
});
