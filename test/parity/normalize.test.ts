import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, Step } from './case.ts';
import type { Answer } from './client.ts';
import { normalize } from './normalize.ts';
import type { Replay } from './replay.ts';

const ask: Step = { method: 'GET', path: '/' };

function replayOf(...bodies: Json[]): Replay {
  return {
    steps: bodies.map(() => ask),
    requests: bodies.map(() => ({ method: 'GET', path: '/', headers: {} })),
    answers: bodies.map((body): Answer => ({ status: 200, headers: [], body: `${JSON.stringify(body)}\n` })),
    pauses: [],
    names: [['parity-xyz', '{ns}']],
  };
}

const object = (name: string, uid: number, resourceVersion: number): Json => ({
  metadata: {
    name,
    uid: `00000000-0000-4000-8000-00000000000${uid}`,
    resourceVersion: `${resourceVersion}`,
    creationTimestamp: new Date().toISOString().replace(/\.\d+/, ''),
    managedFields: [],
  },
});

/** The response at `index`, as the compared JSON. */
function compared(replay: Replay, index: number): Json {
  const lines = normalize(replay)[index] ?? [];
  return JSON.parse(
    lines.slice(lines.findIndex((line) => line.startsWith('layout:')) + 1).join('\n'),
  ) as Json;
}

test('responses that differ only in uids, revisions and times are equal', () => {
  const one = replayOf(object('a', 1, 10), object('b', 2, 11), object('a', 1, 12));
  const other = replayOf(object('a', 7, 500), object('b', 8, 900), object('a', 7, 901));
  assert.deepEqual(normalize(one), normalize(other));
});

test('a symbol is named after the response in which the value first occurred', () => {
  const replay = replayOf(object('a', 1, 10), object('b', 2, 11), object('a', 1, 12));
  assert.deepEqual(compared(replay, 2), {
    metadata: {
      name: 'a',
      uid: 'uid#1',
      resourceVersion: 'rv#3',
      creationTimestamp: '<now>',
      managedFields: [],
    },
  });
});

test('a different response does not make later ones differ', () => {
  const one = replayOf(object('a', 1, 10), object('b', 2, 11), object('c', 3, 12));
  const other = replayOf(object('a', 1, 10), { kind: 'Status' }, object('c', 3, 12));
  assert.deepEqual(normalize(one)[2], normalize(other)[2]);
});

test('a changed uid and a decreased revision are differences', () => {
  assert.notDeepEqual(
    normalize(replayOf(object('a', 1, 10), object('a', 1, 11))),
    normalize(replayOf(object('a', 1, 10), object('a', 2, 11))),
  );
  assert.notDeepEqual(
    normalize(replayOf(object('a', 1, 10), object('a', 1, 11))),
    normalize(replayOf(object('a', 1, 10), object('a', 1, 9))),
  );
});

test('the revision of a list may be any at or after the last object', () => {
  const list = (resourceVersion: number) =>
    replayOf(object('a', 1, 10), { items: [], metadata: { resourceVersion: `${resourceVersion}` } });
  assert.deepEqual(normalize(list(10)), normalize(list(99)));
  assert.notDeepEqual(normalize(list(10)), normalize(list(9)));
});

test('old times and numbers beyond a double are compared exactly', () => {
  assert.deepEqual(compared(replayOf({ renewTime: '2001-02-03T04:05:06Z' }), 0), {
    renewTime: '2001-02-03T04:05:06Z',
  });
  const replay = replayOf({});
  const [answer] = replay.answers;
  assert.ok(answer);
  answer.body = '{"revision": 9223372036854775807}';
  assert.deepEqual(compared(replay, 0), { revision: '9223372036854775807' });
});

test('keys are sorted, and __proto__ is an ordinary key', () => {
  const replay = replayOf({});
  const [answer] = replay.answers;
  assert.ok(answer);
  answer.body = '{"b":1,"__proto__":{"c":2},"a":"parity-xyz"}';
  assert.deepEqual(normalize(replay)[0]?.slice(2), [
    '{',
    '  "__proto__": {',
    '    "c": 2',
    '  },',
    '  "a": "{ns}",',
    '  "b": 1',
    '}',
  ]);
});

const written = (...owners: [manager: string, secondsAgo: number][]): Json => ({
  metadata: {
    managedFields: owners.map(([manager, secondsAgo]) => ({
      manager,
      operation: 'Update',
      time: new Date(Date.now() - secondsAgo * 1000).toISOString().replace(/\.\d+/, ''),
    })),
  },
});

test('managedFields written in the same second, or one after the other, are equal', () => {
  assert.deepEqual(
    normalize(replayOf(written(['a', 0], ['b', 0]))),
    normalize(replayOf(written(['b', 5], ['a', 0]))),
  );
});

test('managedFields that are not ordered by time are a difference', () => {
  assert.notDeepEqual(
    normalize(replayOf(written(['a', 0], ['b', 5]))),
    normalize(replayOf(written(['b', 5], ['a', 0]))),
  );
});

test('managedFields before and after a pause of the case are distinguished', () => {
  const paused = { ...replayOf(written(['a', 9])), pauses: [Date.now() - 5000] };
  assert.notDeepEqual(
    normalize(paused),
    normalize({ ...paused, ...replayOf(written(['a', 0])), pauses: paused.pauses }),
  );
});
