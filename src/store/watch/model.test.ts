// Property test: watchers receive every change exactly once under random interleavings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { systemClock } from '../../base/clock.ts';
import { ListCache } from '../lists/list-cache.ts';
import { backends, colored, put, putOther, remove, type Thing } from '../lists/runs.fixture.ts';
import type { Selection } from '../selection.ts';
import type { Change, Revision, Store } from '../store.ts';
import { json, lateJson, RecordingSink, settle } from './fixture.ts';
import { type WatchFormat, WatchHub, type WatchRequest } from './hub.ts';

const base = { prefix: 'things', bookmarks: false };
/** The size of objects with values of middle length. */
const largeBytes = 200;
const sharedFormat = lateJson(largeBytes, () => settle(2));

function formatOf(lateness: number | undefined, shared: boolean): WatchFormat {
  if (lateness === undefined) return json;
  return shared ? sharedFormat : lateJson(largeBytes, () => settle(lateness));
}

/** The events that a watcher should receive for these changes, computed without the hub. */
function expectedEvents(changes: Iterable<Change>, request: WatchRequest): string[] {
  const events: string[] = [];
  const { keyPrefix, key, select } = request;
  for (const change of changes) {
    if (!change.key.startsWith(keyPrefix) || (key !== undefined && change.key !== key)) continue;
    const chosen = (state: Change['object'] | undefined) =>
      state !== undefined && (!select || select.matches(state.labels, state.selectableFields, change.key));
    const was = chosen(change.previous);
    const is = change.type !== 'deleted' && chosen(change.object);
    const type = is ? (was ? 'MODIFIED' : 'ADDED') : was ? 'DELETED' : undefined;
    if (!type) continue;
    const shown: Thing = JSON.parse((is ? change.object : change.previous!).json.toString());
    events.push(`${type} ${shown.metadata.name}@${change.revision} ${shown.value}`);
  }
  return events;
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('put' as const),
      at: fc.nat(7),
      blue: fc.boolean(),
      wait: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), at: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('other' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('turn' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('watch' as const),
      scope: fc.constantFrom('all', 'namespace', 'key'),
      blue: fc.boolean(),
      start: fc.oneof(fc.constant('page' as const), fc.integer({ min: -12, max: 5 })),
      /** The turns after which a large event is encoded; undefined: no event is large. */
      lateness: fc.option(fc.nat(6), { nil: undefined }),
      shared: fc.boolean(),
    }),
  },
);

/** Far beyond any delay that is not a lost event. */
const mostTurns = 100_000;

for (const backend of backends) {
  test(`any watcher receives every change exactly once, whatever is written during replay (${backend.name})`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
        await backend.use(async (store) => {
          const hub = new WatchHub(store, systemClock);
          const lists = new ListCache(store);
          const nameAt = (at: number) => `n${at % 2}/${at}`;
          const begun: { reader: RecordingSink; request: WatchRequest; state: string[]; after: Revision }[] =
            [];
          const unfinished: Promise<Change>[] = [];
          for (const action of steps) {
            if (action.do === 'put') {
              const written = put(
                store,
                nameAt(action.at),
                'v'.repeat(action.at * 30),
                action.blue ? 'blue' : 'red',
              );
              if (action.wait) await written;
              else unfinished.push(written);
            } else if (action.do === 'remove') {
              await Promise.all(unfinished);
              if (store.get(`things/${nameAt(action.at)}`)) await remove(store, nameAt(action.at));
            } else if (action.do === 'other') await putOther(store);
            else if (action.do === 'turn') await nextTurn();
            else {
              const scope = {
                ...(action.scope === 'all' ? { keyPrefix: 'things/' } : { keyPrefix: 'things/n1/' }),
                ...(action.scope === 'key' && { key: 'things/n1/3' }),
                ...(action.blue && { select: colored('blue') }),
              };
              const reader = new RecordingSink();
              let after = store.revision;
              let state: string[] = [];
              let request: WatchRequest;
              const format = formatOf(action.lateness, action.shared);
              if (action.start === 'page') {
                const page = await lists.list({ prefix: 'things', ...scope });
                after = page.revision;
                state = await stateAt(store, after, scope);
                request = { ...base, ...scope, format, start: { page, announceEnd: false } };
              } else {
                after = Math.max(0, store.revision + action.start);
                request = { ...base, ...scope, format, start: { after } };
              }
              hub.watch(request, reader);
              begun.push({ reader, request, state, after });
            }
          }
          await Promise.all(unfinished);
          const expected = begun.map(({ request, state, after }) => {
            const since = store.history('things', Math.min(after, store.revision));
            return [...state, ...expectedEvents(since, request)];
          });
          // Events may be batched: wait for those that are due, then for a surplus one.
          const isComplete = () =>
            begun.every(({ reader }, n) => reader.events.length >= expected[n]!.length);
          for (let turn = 0; turn < mostTurns && !isComplete(); turn++) await settle(1);
          await settle(30 + begun.length);
          begun.forEach(({ reader }, n) => {
            assert.deepEqual(reader.events, expected[n]);
          });
          hub.close();
          lists.close();
        });
      }),
      { numRuns: backend.runs },
    );
  });
}

async function stateAt(
  store: Store,
  revision: Revision,
  { keyPrefix, key, select }: { keyPrefix: string; key?: string; select?: Selection },
): Promise<string[]> {
  const view = store.pin();
  assert.equal(view.revision, revision);
  const events: string[] = [];
  for (const object of view.range('things/')) {
    if (!object.key.startsWith(keyPrefix) || (key !== undefined && object.key !== key)) continue;
    if (select && !select.matches(object.labels, object.selectableFields, object.key)) continue;
    const { metadata, value }: Thing = JSON.parse(object.json.toString());
    events.push(`ADDED ${metadata.name}@${metadata.resourceVersion} ${value}`);
  }
  view.release();
  return events;
}
