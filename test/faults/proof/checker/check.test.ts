import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  newRecord,
  type ObservedObject,
  type RecordedEvent,
  type RecordedList,
  type RecordedWatcher,
  type RecordedWrite,
  type RunRecord,
  type WatchSession,
} from '../record.ts';
import { check } from './check.ts';

const at = (revision: number, token: string, patch = '', name = 'a'): ObservedObject => ({
  name,
  uid: `uid-${name}`,
  revision,
  token,
  patch,
});
const request = (began: number, ended = began + 1) => ({ collection: 'things', server: 0, began, ended });
const added = (time: number, object: ObservedObject): RecordedEvent => ({ at: time, type: 'ADDED', object });
const modified = (time: number, object: ObservedObject): RecordedEvent => ({
  at: time,
  type: 'MODIFIED',
  object,
});
const deleted = (time: number, object: ObservedObject): RecordedEvent => ({
  at: time,
  type: 'DELETED',
  object,
});
const bookmark = (time: number, revision: number): RecordedEvent => ({
  at: time,
  type: 'BOOKMARK',
  revision,
});
const list = (
  revision: number,
  items: ObservedObject[],
  began = 0,
  consistency: RecordedList['consistency'] = 'newest',
): RecordedList => ({
  ...request(began),
  consistency,
  revision,
  items,
});
const session = (from: number, ...events: RecordedEvent[]): WatchSession => ({ server: 0, from, events });
const watcher = (name: string, ...sessions: WatchSession[]): RecordedWatcher => ({
  name,
  collection: 'things',
  listsAndWatches: [{ list: list(1, []), sessions }],
});
const wrote = (
  verb: RecordedWrite['verb'],
  id: string,
  began: number,
  rest: Partial<RecordedWrite> & { object?: ObservedObject } = {},
): RecordedWrite => ({
  ...request(began),
  id,
  verb,
  name: rest.object?.name ?? 'a',
  outcome: 'done',
  code: 200,
  ...rest,
});

/** Created at 2, updated conditionally at 3, patched at 5, deleted at 6: as one watcher receives it. */
const [made, updated, patched, gone] = [at(2, 'w1'), at(3, 'w2'), at(5, 'w2', 'w3'), at(6, 'w2', 'w3')];
const events = [added(12, made), modified(22, updated), modified(32, patched), deleted(42, gone)] as const;
const writes = [
  wrote('create', 'w1', 10, { object: made }),
  wrote('update', 'w2', 20, { object: updated, expected: 2 }),
  wrote('patch', 'w3', 30, { object: patched }),
  wrote('delete', 'w4', 40, { uid: 'uid-a' }),
] as const;

function record(parts: Partial<RunRecord> = {}): RunRecord {
  return { ...newRecord(), writes: [...writes], watchers: [watcher('one', session(1, ...events))], ...parts };
}

const found = (parts: Partial<RunRecord>) => check(record(parts)).violations.map(({ rule }) => rule);
const withWatcher = (...sessions: WatchSession[]) => ({
  watchers: [watcher('one', session(1, ...events)), watcher('two', ...sessions)],
});

describe('a correct history has no violation', () => {
  test('with a watcher that resumes after an event and after a bookmark', () => {
    const sessions = [
      session(1, events[0], events[1]),
      session(3, bookmark(25, 4)),
      session(4, events[2], events[3], bookmark(50, 9)),
    ];
    assert.deepEqual(check(record(withWatcher(...sessions))), { violations: [], uncompared: 0, changes: 4 });
  });

  test('with writes that were rejected, or whose outcome is unknown', () => {
    const more = [
      wrote('update', 'w5', 33, { expected: 3, outcome: 'refused', code: 409 }),
      wrote('update', 'w6', 34, { outcome: 'unknown', code: 0 }),
      wrote('create', 'w7', 50, { outcome: 'unknown', code: 503 }),
    ];
    const last = added(55, { ...at(8, 'w7'), uid: 'uid-b' });
    const watchers = [watcher('one', session(1, ...events, last))];
    assert.deepEqual(found({ writes: [...writes, ...more], watchers }), []);
  });

  test('with reads of every kind', () => {
    const lists = [
      list(4, [updated], 25),
      list(2, [made], 60, 'any'),
      list(3, [updated], 60, { exactly: 3 }),
      list(5, [patched], 60, { notBefore: 5 }),
      list(6, [], 60),
    ];
    const gets = [
      { ...request(25), name: 'a', consistency: 'newest', object: updated },
      { ...request(60), name: 'a', consistency: 'newest', object: undefined },
      { ...request(60), name: 'a', consistency: 'any', object: made },
      { ...request(60), name: 'a', consistency: { notBefore: 4 }, object: patched },
    ] as const;
    assert.deepEqual(found({ lists, gets: [...gets] }), []);
  });

  test('with compacted history, after which the watcher lists again', () => {
    const [, , third, fourth] = events;
    const listsAndWatches = [
      { list: list(1, []), sessions: [session(1, events[0])] },
      { list: list(4, [updated], 25), sessions: [session(4, third, fourth)] },
    ];
    const cut = {
      watchers: [{ name: 'one', collection: 'things', listsAndWatches }],
      expiries: [{ ...request(24), revision: 2 }],
      compactions: [{ server: 0, from: 23, until: 24 }],
      lists: [list(3, [updated], 24, 'any')],
    };
    // The state at 3 is unknown.
    assert.deepEqual(check(record(cut)), { violations: [], uncompared: 1, changes: 4 });
  });
});

describe('of writes', () => {
  test('an acknowledged write that no watch delivers is lost', () => {
    const lost = wrote('create', 'w5', 35, { object: { ...at(4, 'w5', '', 'b'), uid: 'uid-b' } });
    assert.deepEqual(found({ writes: [...writes, lost] }).sort(), ['lost write', 'revision went back']);
  });

  test('an acknowledged deletion that no watch delivers is lost', () => {
    assert.deepEqual(found({ watchers: [watcher('one', session(1, events[0], events[1], events[2]))] }), [
      'lost write',
    ]);
  });

  test('a rejected write is not committed', () => {
    const refused = { ...writes[2], outcome: 'refused', code: 503, object: undefined } as const;
    assert.deepEqual(found({ writes: [writes[0], writes[1], refused, writes[3]] }), ['refused write']);
  });

  test('no write is committed twice', () => {
    const again = modified(35, at(7, 'w1'));
    const watchers = [watcher('one', session(1, events[0], events[1], again))];
    assert.deepEqual(found({ writes: [writes[0], writes[1]], watchers }), ['repeated write']);
  });

  test('no write is committed long after its client gave up', () => {
    const unknown = wrote('update', 'w9', 60, { outcome: 'unknown', code: 0 });
    const last = wrote('create', 'w10', 100_000, { object: { ...at(10, 'w10', '', 'b'), uid: 'uid-b' } });
    const watchers = [
      watcher('one', session(1, events[0], added(100_002, last.object!), modified(100_003, at(12, 'w9')))),
    ];
    assert.deepEqual(found({ writes: [writes[0], unknown, last], watchers }), ['late write']);
  });

  test('every change was requested', () => {
    const watchers = [watcher('one', session(1, ...events, added(50, { ...at(7, 'w8'), uid: 'uid-c' })))];
    assert.deepEqual(found({ watchers }), ['unasked change']);
  });

  test('a conditional write follows the revision of its precondition', () => {
    const between = wrote('update', 'w5', 21, { object: at(4, 'w5'), expected: 2 });
    const watchers = [watcher('one', session(1, events[0], events[1], modified(23, at(4, 'w5'))))];
    assert.deepEqual(found({ writes: [writes[0], writes[1], between], watchers }), ['ignored precondition']);
  });

  test('so does a conditional deletion', () => {
    const conditional = { ...writes[3], expected: 3 };
    assert.deepEqual(found({ writes: [...writes.slice(0, 3), conditional] }), ['ignored precondition']);
  });

  test('a conflict needs a concurrent write', () => {
    const refused = wrote('update', 'w5', 23, { expected: 3, outcome: 'refused', code: 409 });
    assert.deepEqual(found({ writes: [...writes, refused] }), ['needless conflict']);
  });

  test('a deletion has the last state', () => {
    const watchers = [watcher('one', session(1, events[0], events[1], events[2], deleted(42, at(6, 'w1'))))];
    assert.deepEqual(found({ watchers }), ['lost update']);
  });

  test('an existing object is not ADDED', () => {
    const watchers = [watcher('one', session(1, events[0], added(22, updated)))];
    assert.deepEqual(found({ writes: writes.slice(0, 2), watchers }), ['broken chain']);
  });

  test('a revision belongs to one object', () => {
    const other = wrote('create', 'w5', 10, { object: { ...at(2, 'w5', '', 'b'), uid: 'uid-b' } });
    const others = {
      name: 'others',
      collection: 'others',
      listsAndWatches: [{ list: list(1, []), sessions: [session(1, added(12, other.object!))] }],
    };
    const watchers = [watcher('one', session(1, ...events)), others];
    assert.deepEqual(found({ writes: [...writes, { ...other, collection: 'others' }], watchers }), [
      'reused revision',
    ]);
  });
});

describe('of watches', () => {
  test('no event is missing', () => {
    assert.deepEqual(found(withWatcher(session(1, events[0], events[2]))), ['missed event']);
  });

  test('nor between two watches of one watcher', () => {
    assert.deepEqual(found(withWatcher(session(1, events[0]), session(3, events[2]))), ['missed event']);
  });

  test('no event is repeated, also after a resume', () => {
    assert.deepEqual(found(withWatcher(session(1, events[0]), session(2, events[0], events[1]))), [
      'repeated event',
    ]);
  });

  test('no event is out of order', () => {
    assert.deepEqual(found(withWatcher(session(1, events[1], events[0]))), ['repeated event']);
  });

  test('all watchers get the same event', () => {
    assert.deepEqual(found(withWatcher(session(1, added(12, at(2, 'w9'))))), ['differing events']);
  });

  test('a bookmark is not ahead of an event', () => {
    assert.deepEqual(found(withWatcher(session(1, bookmark(21, 3), events[0], events[1]))), [
      'lying bookmark',
      'lying bookmark',
    ]);
    assert.deepEqual(found(withWatcher(session(1, events[0], bookmark(25, 4)), session(4, events[2]))), [
      'lying bookmark',
    ]);
  });
});

describe('of reads', () => {
  test('a list is the state at its revision', () => {
    assert.deepEqual(found({ lists: [list(4, [made], 24, 'any')] }), ['wrong list']);
    assert.deepEqual(found({ lists: [list(4, [], 24, 'any')] }), ['wrong list']);
    assert.deepEqual(found({ lists: [list(6, [patched], 60)] }), ['wrong list']);
    assert.deepEqual(found({ lists: [list(4, [updated], 60, { exactly: 3 })] }), ['wrong list']);
  });

  test('a read of the latest state is not older than what was observed before', () => {
    assert.deepEqual(found({ lists: [list(3, [updated], 40)] }), ['stale read']);
    assert.deepEqual(found({ lists: [list(3, [updated], 40, { notBefore: 4 })] }), ['stale read']);
    const get = { ...request(40), name: 'a', consistency: 'newest', object: updated } as const;
    assert.deepEqual(found({ gets: [get] }), ['stale read']);
    assert.deepEqual(found({ gets: [{ ...get, began: 5 }] }), []);
    assert.deepEqual(
      found({ gets: [{ ...request(25), name: 'a', consistency: 'newest', object: undefined }] }),
      [],
    );
    const kept = { watchers: [watcher('one', session(1, events[0], events[1]))], writes: writes.slice(0, 2) };
    const nothing = { ...request(25), name: 'a', consistency: 'newest', object: undefined } as const;
    assert.deepEqual(found({ ...kept, gets: [nothing] }), ['stale read']);
  });

  test('a get returns a state that existed', () => {
    const get = { ...request(24), name: 'a', consistency: 'any' } as const;
    assert.deepEqual(found({ gets: [{ ...get, object: at(3, 'w9') }] }), ['wrong get']);
    assert.deepEqual(found({ gets: [{ ...get, object: at(4, 'w2') }] }), ['wrong get']);
  });

  test('410 needs compacted history', () => {
    const expiries = [{ ...request(24), revision: 2 }];
    assert.deepEqual(found({ expiries }), ['needless expiry']);
    assert.deepEqual(found({ expiries, compactions: [{ server: 1, from: 20, until: 23 }] }), [
      'needless expiry',
    ]);
    assert.deepEqual(found({ expiries, compactions: [{ server: 0, from: 30, until: 33 }] }), [
      'needless expiry',
    ]);
    assert.deepEqual(found({ expiries, compactions: [{ server: undefined, from: 20, until: 23 }] }), []);
  });
});

test('no server exits by itself', () => {
  assert.deepEqual(found({ unexpectedExits: [{ server: 0, at: 5, how: 'SIGBUS' }] }), ['dead server']);
});

describe('of leaders', () => {
  const leading = [
    { server: 0, from: 0, until: 30_000 },
    { server: 1, from: 16_000, until: 40_000 },
  ];

  test('no two servers lead at once', () => {
    assert.deepEqual(found({ leaderships: leading }), ['two leaders']);
  });

  test('a paused leader does not lead, and notices when it resumes', () => {
    const still = (until: number) => [{ server: 0, from: 1_000, until }];
    assert.deepEqual(found({ leaderships: leading, pauses: still(29_500) }), []);
    assert.deepEqual(found({ leaderships: leading, pauses: still(24_000) }), ['two leaders']);
  });

  const lease = (revision: number, holder: string, renewed: number) => ({
    revision,
    holder,
    renewed,
    duration: 15_000,
  });

  test('a Lease is acquired after it expired or was released', () => {
    assert.deepEqual(
      found({ leases: [[lease(1, 'x', 0), lease(2, 'x', 2_000), lease(3, 'y', 17_000)]] }),
      [],
    );
    assert.deepEqual(found({ leases: [[lease(1, 'x', 0), lease(2, '', 1_000), lease(3, 'y', 1_500)]] }), []);
    assert.deepEqual(found({ leases: [[lease(1, 'x', 0), lease(2, 'y', 14_000)]] }), ['early lease']);
  });

  test('an unobserved period, in which it may have been released, is not judged', () => {
    const later = [lease(3, 'y', 1_500), lease(4, 'y', 2_000)];
    assert.deepEqual(found({ leases: [[lease(1, 'x', 0)], later] }), []);
    assert.deepEqual(found({ leases: [[lease(1, 'x', 0)], [...later, lease(5, 'x', 16_000)]] }), [
      'early lease',
    ]);
  });
});
