// Tests of the ways a watch ends, and of bookmarks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ListReleased } from '../lists/lazy-view.ts';
import { put, putOther } from '../lists/runs.fixture.ts';
import { Compacted } from '../store.ts';
import { json, openHub, settle, until } from './fixture.ts';

test('a slow client is terminated and the others continue', async () => {
  const { store, hub, watch } = openHub({ maxBufferedBytes: 1000 });
  const slow = watch().reader;
  const lagging = watch().reader;
  const good = watch().reader;
  slow.lag = 1001;
  lagging.lag = 1000;
  await put(store, 'a');
  await until(() => good.events.length === 1);
  await put(store, 'b');
  await until(() => good.events.length === 2);
  assert.equal(slow.end, 'slow');
  assert.equal(slow.events.length, 1);
  assert.equal(lagging.events.length, 2);
  assert.equal(good.events.length, 2);
  assert.equal(hub.slowTerminations, 1);
  assert.equal(hub.watcherCount, 2);
});

test('replay pauses for a slow client and buffers nothing for it', async () => {
  const { clock, store, watch } = openHub();
  const value = 'v'.repeat(100_000);
  for (let i = 0; i < 30; i++) await put(store, `${i}`, value);
  const { reader } = watch({ start: { after: 0 } });
  reader.lag = 2 * 1024 * 1024;
  await settle(50);
  assert.equal(reader.frames.length, 0);
  reader.lag = 0;
  clock.advance(20);
  await settle(50);
  assert.equal(reader.events.length, 30);
});

test('a client that does not read the initial state in time is terminated, since it may pin a view', async () => {
  const { clock, store, watch, lists } = openHub({ initialEventsTimeoutMs: 1000 });
  for (let i = 0; i < 3; i++) await put(store, `${i}`);
  const page = await lists.list({ prefix: 'things', keyPrefix: 'things/' });
  const { reader } = watch({ start: { page, announceEnd: false } });
  reader.lag = 2 * 1024 * 1024;
  await settle();
  clock.advance(1000);
  assert.equal(reader.end, 'slow');
  assert.throws(() => [...page.chunks()], ListReleased);
});

test('bookmarks are sent once a minute and shortly before the timeout, to watchers that allow them', async () => {
  const { clock, store, watch } = openHub();
  const asked = watch({ bookmarks: true, timeoutMs: 90_000 }).reader;
  const quiet = watch().reader;
  await putOther(store);
  clock.advance(59_000);
  assert.deepEqual(asked.events, []);
  clock.advance(1_000);
  assert.deepEqual(asked.events, ['BOOKMARK 1']);
  await put(store, 'a');
  clock.advance(28_000);
  assert.deepEqual(asked.events, ['BOOKMARK 1', 'ADDED a@2 x', 'BOOKMARK 2']);
  clock.advance(2_000);
  assert.equal(asked.end, 'timeout');
  assert.deepEqual(quiet.events, ['ADDED a@2 x']);
  assert.equal(quiet.end, undefined);
});

test('a watcher in replay is sent no bookmark', async () => {
  const { clock, store, watch } = openHub();
  await put(store, 'a');
  watch({ bookmarks: true });
  const late = watch({ bookmarks: true, start: { after: 0 }, timeoutMs: 2_001 }).reader;
  clock.advance(1);
  assert.deepEqual(late.events, []);
  await settle();
  assert.deepEqual(late.events, ['ADDED a@1 x']);
});

test('a stopped watch receives no events and its sink is not closed', async () => {
  const { store, hub, watch } = openHub();
  const { reader, watch: one } = watch();
  await put(store, 'a');
  one.stop();
  await settle();
  assert.deepEqual([reader.events, reader.end, hub.watcherCount], [[], undefined, 0]);
});

test('closing the hub and resetting the store end every watch', async () => {
  const { store, hub, watch } = openHub();
  store.onReset(() => hub.reset());
  await put(store, 'a');
  const before = [
    watch().reader,
    watch({ start: { after: 0 } }).reader,
    watch({ start: { after: 99 } }).reader,
  ];
  store.reset();
  assert.deepEqual(
    before.map((reader) => reader.end),
    ['reset', 'reset', 'reset'],
  );
  const after = watch().reader;
  await put(store, 'b');
  await settle();
  hub.close();
  assert.deepEqual(after.events, ['ADDED b@3 x']);
  assert.equal(after.end, 'shutdown');
  assert.throws(() => watch());
});

test('a sink or a format that throws ends its own watch only', async () => {
  const { store, watch } = openHub();
  const broken = watch().reader;
  broken.write = () => {
    throw new Error('broken');
  };
  const failing = watch({
    format: {
      ...json,
      id: 'failing',
      event() {
        throw new Error('cannot');
      },
    },
  }).reader;
  const good = watch().reader;
  await put(store, 'a');
  await settle();
  assert.deepEqual([broken.end, failing.end, good.end], ['failed', 'failed', undefined]);
  assert.deepEqual(good.events, ['ADDED a@1 x']);
});

test('a rejected watch releases its initial page', async () => {
  const { store, watch, lists } = openHub();
  for (let i = 0; i < 3; i++) await put(store, `${i}`);
  const page = await lists.list({ prefix: 'things', keyPrefix: 'things/' });
  await put(store, '4');
  await store.compact(4);
  assert.throws(() => watch({ start: { page, announceEnd: true } }), Compacted);
  assert.throws(() => [...page.chunks()], ListReleased);
});
