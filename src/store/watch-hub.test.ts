import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovableClock, systemClock } from '../clock.ts';
import { Lists } from './lists.ts';
import { MemoryStore } from './memory/memory-store.ts';
import { colored, put, putOther, remove } from './runs.fixture.ts';
import { Compacted } from './store.ts';
import { json, Reader, settle } from './watch-hub.fixture.ts';
import { jsonEvent, type WatchFormat, WatchHub, type WatchRequest } from './watch-hub.ts';

const all: WatchRequest = {
  prefix: 'things',
  under: 'things/',
  start: 'now',
  bookmarks: false,
  format: json,
};

function open(options = {}) {
  const clock = new MovableClock(systemClock);
  const store = new MemoryStore({ clock });
  const hub = new WatchHub(store, clock, options);
  const watch = (request: Partial<WatchRequest> = {}) => {
    const reader = new Reader();
    return { reader, watch: hub.watch({ ...all, ...request }, reader) };
  };
  return { clock, store, hub, watch, lists: new Lists(store) };
}

test('a watch from now hears what comes after, in order', async () => {
  const { store, watch } = open();
  await put(store, 'a');
  const { reader } = watch();
  await put(store, 'b');
  await put(store, 'a', 'y');
  await putOther(store);
  await remove(store, 'b');
  await settle();
  assert.deepEqual(reader.events, ['ADDED b@2 x', 'MODIFIED a@3 y', 'DELETED b@5 x']);
});

test('a watch from a revision hears what came since, then goes on without gap or repetition', async () => {
  const { store, watch } = open();
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

test('an object that enters a selection is added, one that leaves it is deleted as it last was', async () => {
  const { store, watch } = open();
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

test('watchers of a namespace or of one object hear only of those', async () => {
  const { store, watch } = open();
  const namespace = watch({ under: 'things/n1/' }).reader;
  const one = watch({ under: 'things/n1/', key: 'things/n1/a' }).reader;
  const replayed = watch({ under: 'things/n1/', key: 'things/n1/a', start: { after: 0 } }).reader;
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
  const { store, watch } = open();
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
  const { store, watch } = open();
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
  watch({ format, under: 'things/n/' });
  watch({ format: { ...format, id: 'another' } });
  await put(store, 'n/a');
  await settle();
  assert.equal(encoded, 2);
});

test('a watch can begin with the state, say where that ends, and go on after it', async () => {
  const { store, watch, lists } = open();
  for (const name of ['b', 'a', 'c']) await put(store, name);
  const page = await lists.list({ prefix: 'things', under: 'things/' });
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

test('a watch from a revision yet to come waits for it', async () => {
  const { store, watch } = open();
  const { reader } = watch({ start: { after: 2 } });
  for (const name of ['a', 'b', 'c', 'd']) await put(store, name);
  await settle();
  assert.deepEqual(reader.events, ['ADDED c@3 x', 'ADDED d@4 x']);
});

test('a watch from a forgotten past is refused', async () => {
  const { store, watch } = open();
  for (let i = 0; i < 5; i++) await put(store, `${i}`);
  await store.compact(3);
  assert.throws(() => watch({ start: { after: 2 } }), Compacted);
  const { reader } = watch({ start: { after: 3 } });
  await settle();
  assert.equal(reader.events.length, 2);
});

test('a watch that history leaves behind while it catches up ends as expired', async () => {
  const { store, watch } = open();
  for (let i = 0; i < 5; i++) await put(store, `${i}`);
  const { reader } = watch({ start: { after: 1 } });
  await store.compact(3);
  await settle();
  assert.equal(reader.end, 'expired');
});

test('a reader that lags too far is cut off and the others go on', async () => {
  const { store, hub, watch } = open({ maxBuffered: 1000 });
  const slow = watch().reader;
  const lagging = watch().reader;
  const good = watch().reader;
  slow.lag = 1001;
  lagging.lag = 1000;
  await put(store, 'a');
  await settle();
  await put(store, 'b');
  await settle();
  assert.equal(slow.end, 'slow');
  assert.equal(slow.events.length, 1);
  assert.equal(lagging.events.length, 2);
  assert.equal(good.events.length, 2);
  assert.equal(hub.cutOff, 1);
  assert.equal(hub.watchers, 2);
});

test('catching up waits for a reader that lags, and keeps nothing for it', async () => {
  const { clock, store, watch } = open();
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

test('the state at the start must be read in time, for it may pin a view', async () => {
  const { clock, store, watch, lists } = open({ initialMs: 1000 });
  for (let i = 0; i < 3; i++) await put(store, `${i}`);
  const page = await lists.list({ prefix: 'things', under: 'things/' });
  const { reader } = watch({ start: { page, announceEnd: false } });
  reader.lag = 2 * 1024 * 1024;
  await settle();
  clock.advance(1000);
  assert.equal(reader.end, 'slow');
  assert.throws(() => [...page.chunks()]);
});

test('bookmarks come once a minute and shortly before the timeout, to those who asked', async () => {
  const { clock, store, watch } = open();
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

test('a watcher that still catches up is told no bookmark, for it has not come that far', async () => {
  const { clock, store, watch } = open();
  await put(store, 'a');
  watch({ bookmarks: true });
  const late = watch({ bookmarks: true, start: { after: 0 }, timeoutMs: 2_001 }).reader;
  clock.advance(1);
  assert.deepEqual(late.events, []);
  await settle();
  assert.deepEqual(late.events, ['ADDED a@1 x']);
});

test('a stopped watch hears nothing more and is not told of its end', async () => {
  const { store, hub, watch } = open();
  const { reader, watch: one } = watch();
  await put(store, 'a');
  one.stop();
  await settle();
  assert.deepEqual([reader.events, reader.end, hub.watchers], [[], undefined, 0]);
});

test('closing the hub and resetting the store end every watch', async () => {
  const { store, hub, watch } = open();
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

test('a reader that breaks or a format that fails ends its own watch only', async () => {
  const { store, watch } = open();
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

test('what is sent is counted by resource', async () => {
  const { store, hub, watch } = open();
  const { reader } = watch();
  watch();
  await put(store, 'a');
  await settle();
  assert.deepEqual(hub.counts.get('things'), { watchers: 2, events: 2, bytes: 2 * reader.frames[0]!.length });
});
