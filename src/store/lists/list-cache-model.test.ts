// Property test: lists under any order of writes, checked against a model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Revision } from '../store.ts';
import { ListCache, type ListPage } from './list-cache.ts';
import type { ListedObject } from './listed-object.ts';
import { backends, colored, put, putOther, remove, textOf } from './runs.fixture.ts';

/** Random writes and lists, checked against a plain map of states. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('put' as const),
      at: fc.nat(39),
      size: fc.nat(120),
      blue: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const), at: fc.nat(39) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('other' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('list' as const),
      namespace: fc.option(fc.nat(3), { nil: undefined }),
      limit: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
      after: fc.option(fc.nat(39), { nil: undefined }),
      ago: fc.oneof(fc.constant(0), fc.nat(25)),
      blue: fc.boolean(),
      readLater: fc.boolean(),
    }),
  },
);

/** 40 names in 4 namespaces, some a prefix of others. */
const nameAt = (at: number) => `n${at % 4}/${'a'.repeat(at % 3)}${Math.floor(at / 4)}`;

/** Reads its page one run at a time, with writes and other lists in between. */
class SlowReader {
  readonly #batches: Iterator<readonly ListedObject[]>;
  readonly #items: string[] = [];
  readonly #expected: string;

  constructor(page: ListPage, expected: string) {
    this.#batches = page.batches()[Symbol.iterator]();
    this.#expected = expected;
  }

  /** Returns whether more may follow. */
  readSome(): boolean {
    const { value, done } = this.#batches.next();
    if (done) assert.equal(this.#items.join(','), this.#expected);
    else for (const object of value) this.#items.push(object.item.toString());
    return !done;
  }
}

for (const backend of backends) {
  test(`any order of writes, pages and reads agrees with a plain model (${backend.name})`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 80, size: 'max' }),
        fc.constantFrom(1, 150, 400, 100_000),
        fc.constantFrom(1500, 1_000_000),
        async (steps, runBytes, maxBytes) => {
          await backend.use(async (store) => {
            const lists = new ListCache(store, { runBytes, maxBytes });
            const states = new Map<Revision, Map<string, { blue: boolean; item: string }>>([[0, new Map()]]);
            const slow: SlowReader[] = [];
            for (const action of steps) {
              for (const reader of slow) reader.readSome();
              const now = new Map(states.get(store.revision));
              if (action.do === 'other') {
                await putOther(store);
                states.set(store.revision, now);
              } else if (action.do === 'put') {
                const name = nameAt(action.at);
                const { object } = await put(
                  store,
                  name,
                  'v'.repeat(action.size),
                  action.blue ? 'blue' : 'red',
                );
                now.set(object.key, {
                  blue: action.blue,
                  item: `{${object.json.subarray(object.listItemOffset)}`,
                });
                states.set(store.revision, now);
              } else if (action.do === 'remove') {
                const key = `things/${nameAt(action.at)}`;
                if (!now.delete(key)) continue;
                await remove(store, nameAt(action.at));
                states.set(store.revision, now);
              } else {
                const keyPrefix = action.namespace === undefined ? 'things/' : `things/n${action.namespace}/`;
                const at = Math.max(0, store.revision - action.ago);
                const after = action.after === undefined ? '' : `things/${nameAt(action.after)}`;
                const page = await lists.list({
                  prefix: 'things',
                  keyPrefix,
                  ...(action.limit && { limit: action.limit }),
                  ...(after && { after }),
                  ...(action.ago && { exactRevision: at }),
                  ...(action.blue && { select: colored('blue') }),
                });
                const inRange = [...states.get(at)!].filter(
                  ([key]) => key.startsWith(keyPrefix) && key > after,
                );
                inRange.sort(([a], [b]) => (a < b ? -1 : 1));
                const wanted = inRange
                  .filter(([, state]) => !action.blue || state.blue)
                  .slice(0, action.limit);
                const last = wanted[wanted.length - 1]?.[0];
                const isFull = action.limit !== undefined && wanted.length === action.limit;
                const rest = isFull ? inRange.filter(([key]) => key > last!).length : 0;
                assert.equal(page.revision, at);
                assert.equal(page.continueAfter, rest > 0 ? last : undefined);
                assert.equal(page.remaining, rest > 0 && !action.blue ? rest : undefined);
                const expected = wanted.map(([, state]) => state.item).join(',');
                if (action.readLater) slow.push(new SlowReader(page, expected));
                else assert.equal(textOf(page), expected);
              }
            }
            for (const reader of slow) while (reader.readSome());
            lists.close();
          });
        },
      ),
      { numRuns: backend.runs },
    );
  });
}
