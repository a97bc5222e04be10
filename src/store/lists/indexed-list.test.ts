// Tests of lists by selector from an index: equal to lists without it, whatever is written meanwhile.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { systemClock } from '../../base/clock.ts';
import { checkDirectory } from '../lmdb/check.ts';
import { requestIndex } from '../lmdb/indexes.fixture.ts';
import { LmdbStore } from '../lmdb/lmdb-store.ts';
import { Selection } from '../selection.ts';
import { type ContentRequirement, type Revision, StorageUnavailable, type Store } from '../store.ts';
import { put } from '../suite/objects.ts';
import { ListCache, type ListPage, type StoreListRequest } from './list-cache.ts';
import { textOf } from './runs.fixture.ts';

/** More than a step of the builder adds. */
const initialObjects = 600;
const colors = ['red', 'green', 'blue', undefined] as const;
const nodes = ['n1', 'n2', ''] as const;

const keyAt = (at: number) => `things/ns${at % 3}/${'a'.repeat(at % 2)}${at}`;

function putAt(store: Store, at: number, color: string | undefined, node: string, value = 'x') {
  return put(store, keyAt(at), {
    data: `${at} ${value}`,
    labels: color === undefined ? {} : { color, other: 'y' },
    fields: node ? { node } : {},
  });
}

interface Selector {
  readonly colors?: readonly string[];
  readonly node?: string;
}

/** The same selection with and without the requirements that an index can answer. */
function selectionsOf({ colors: wanted, node }: Selector): { indexed: Selection; walked: Selection } {
  const equalities: ContentRequirement[] = [
    ...(wanted ? [{ kind: 'label', name: 'color', values: wanted } as const] : []),
    ...(node === undefined ? [] : [{ kind: 'field', name: 'node', values: [node] } as const]),
  ];
  const predicates = {
    ...(wanted && {
      labels: (labels: ReadonlyMap<string, string>) => wanted.includes(labels.get('color') ?? '-'),
    }),
    ...(node !== undefined && {
      fields: (fields: ReadonlyMap<string, string>) => (fields.get('node') ?? '') === node,
    }),
  };
  return {
    indexed: new Selection('i', { ...predicates, equalities }),
    walked: new Selection('w', predicates),
  };
}

const isIndexed = (page: ListPage) => page.runs === undefined;

/** Lists until the index is complete. */
async function indexedPage(lists: ListCache, request: StoreListRequest): Promise<ListPage> {
  for (;;) {
    const page = await lists.list(request);
    if (isIndexed(page)) return page;
    page.release();
    await setImmediate();
  }
}

async function withDirectory(body: (open: () => LmdbStore, dir: string) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'orch-indexed-'));
  try {
    await body(() => LmdbStore.open({ dir, clock: systemClock, dialect: 'orch' }), dir);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const fill = (store: Store) =>
  Promise.all(
    Array.from({ length: initialObjects }, (_, at) =>
      putAt(store, at, colors[at % 7 === 0 ? 0 : 1 + (at % 3)], nodes[at % 3]!),
    ),
  );

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('put' as const),
      at: fc.nat(initialObjects + 40),
      color: fc.constantFrom(...colors),
      node: fc.constantFrom(...nodes),
      isAwaited: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), at: fc.nat(initialObjects) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('build' as const),
      requirement: fc.constantFrom(
        { kind: 'label', name: 'color' } as const,
        { kind: 'field', name: 'node' } as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('list' as const),
      namespace: fc.option(fc.nat(3), { nil: undefined }),
      limit: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
      after: fc.option(fc.nat(initialObjects), { nil: undefined }),
      ago: fc.oneof(fc.constant(0), fc.nat(15)),
      selector: fc.constantFrom<Selector>(
        { colors: ['red'] },
        { colors: ['red', 'blue', 'none'] },
        { node: 'n1' },
        { node: '' },
        { colors: ['green'], node: 'n2' },
      ),
    }),
  },
);

test('a list from an index equals the list without it, under any order of writes, builds and restarts', async () => {
  let indexedLists = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
      await withDirectory(async (open, dir) => {
        let store = open();
        await fill(store);
        let lists = new ListCache(store, { minIndexedObjects: 0 });
        let walkedLists = new ListCache(store);
        const oldest: Revision = store.revision;
        const writing: Promise<unknown>[] = [];
        for (const action of steps) {
          if (action.do === 'put') {
            const put = putAt(store, action.at, action.color, action.node);
            writing.push(put);
            if (action.isAwaited) await put;
          } else if (action.do === 'remove') {
            if (!store.get(keyAt(action.at))) continue;
            const removal = store.commit({ prefix: 'things', key: keyAt(action.at), draft: null });
            // A pending write may have deleted it.
            writing.push(
              removal.catch((error: unknown) => assert.ok(!(error instanceof StorageUnavailable))),
            );
          } else if (action.do === 'build') requestIndex(store, action.requirement);
          else if (action.do === 'reopen') {
            await Promise.all(writing.splice(0));
            lists.close();
            walkedLists.close();
            await store.close();
            assert.deepEqual((await checkDirectory(dir)).findings, []);
            store = open();
            lists = new ListCache(store, { minIndexedObjects: 0 });
            walkedLists = new ListCache(store);
          } else {
            const { namespace, limit, after, ago, selector } = action;
            const selections = selectionsOf(selector);
            const request = {
              prefix: 'things',
              keyPrefix: namespace === undefined ? 'things/' : `things/ns${namespace}/`,
              exactRevision: Math.max(oldest, store.revision - ago),
              ...(limit !== undefined && { limit }),
              ...(after !== undefined && { after: keyAt(after) }),
            };
            const page = await lists.list({ ...request, select: selections.indexed });
            if (isIndexed(page)) indexedLists++;
            const expected = await walkedLists.list({ ...request, select: selections.walked });
            assert.equal(page.revision, expected.revision);
            assert.equal(page.continueAfter, expected.continueAfter);
            assert.equal(textOf(page), textOf(expected));
          }
        }
        await Promise.all(writing);
        await store.close();
        assert.deepEqual((await checkDirectory(dir)).findings, []);
      });
    }),
    { numRuns: 12 },
  );
  assert.ok(indexedLists > 0);
});

test('an index is built after lists that read much more than they return, and pages continue at their revision', async () => {
  await withDirectory(async (open) => {
    const store = open();
    await fill(store);
    // Some objects are written while the index is built.
    const lists = new ListCache(store, { minIndexedObjects: 0 });
    const { indexed } = selectionsOf({ colors: ['red'] });
    const request = { prefix: 'things', keyPrefix: 'things/', select: indexed };
    assert.equal(isIndexed(await lists.list(request)), false);
    requestIndex(store, { kind: 'label', name: 'color' });
    const writes = Array.from({ length: 20 }, (_, i) => putAt(store, 7 * i, 'red', '', `later ${i}`));
    const first = await indexedPage(lists, { ...request, limit: 10 });
    await Promise.all(writes);
    const { revision, continueAfter } = first;
    const rest = await lists.list({ ...request, after: continueAfter!, exactRevision: revision });
    // The next page is read after further writes, and shows none of them.
    const whole = textOf(await lists.list({ ...request, exactRevision: revision }));
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => putAt(store, i, i % 2 ? 'red' : 'blue', '', 'new')),
    );
    const late = await lists.list({ ...request, after: continueAfter!, exactRevision: revision });
    assert.ok([rest, late].every(isIndexed));
    const [firstText, restText] = [textOf(first), textOf(rest)];
    assert.equal(textOf(late), restText);
    assert.equal(`${firstText},${restText}`, whole);
    assert.equal(JSON.parse(`[${whole}]`).length, Math.ceil(initialObjects / 7));
    lists.close();
    await store.close();
  });
});

test('updates while an index is built do not remove objects from it', async () => {
  await withDirectory(async (open, dir) => {
    const store = open();
    await fill(store);
    requestIndex(store, { kind: 'label', name: 'color' });
    // The same values, and other ones, in every turn until the index is complete.
    const lists = new ListCache(store, { minIndexedObjects: 0 });
    const request = { prefix: 'things', keyPrefix: 'things/', limit: 1 };
    const select = selectionsOf({ colors: ['red'] }).indexed;
    const writes: Promise<unknown>[] = [];
    for (let at = 0; !isIndexed(await lists.list({ ...request, select })); at++) {
      writes.push(putAt(store, (at * 7) % initialObjects, at % 2 ? 'red' : 'blue', 'n1'));
      await setImmediate();
    }
    await Promise.all(writes);
    lists.close();
    await store.close();
    assert.deepEqual((await checkDirectory(dir)).findings, []);
  });
});

test('an indexed page is a snapshot, also if it is larger than what is read at once', async () => {
  await withDirectory(async (open) => {
    const store = open();
    const large = 'v'.repeat(100_000);
    await Promise.all(Array.from({ length: 40 }, (_, at) => putAt(store, at, 'red', '', large)));
    requestIndex(store, { kind: 'label', name: 'color' });
    const lists = new ListCache(store, { minIndexedObjects: 0 });
    const { indexed, walked } = selectionsOf({ colors: ['red'] });
    const request = { prefix: 'things', keyPrefix: 'things/' };
    for (const limit of [undefined, 30]) {
      const limited = { ...request, ...(limit && { limit }) };
      const expected = textOf(await new ListCache(store).list({ ...limited, select: walked }));
      const pages = [await indexedPage(lists, { ...limited, select: indexed })];
      pages.push(await lists.list({ ...limited, select: indexed }));
      await Promise.all(Array.from({ length: 40 }, (_, at) => putAt(store, at, 'blue', '')));
      assert.equal(textOf(pages[0]!), expected);
      pages[1]!.release();
      assert.throws(() => textOf(pages[1]!), /released/);
      await Promise.all(Array.from({ length: 40 }, (_, at) => putAt(store, at, 'red', '', large)));
    }
    lists.close();
    await store.close();
  });
});
