/** Test fixture: objects and backends for tests of lists and watches. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { concatChunks } from '../../base/chunk.ts';
import { systemClock } from '../../base/clock.ts';
import { LmdbStore } from '../lmdb/lmdb-store.ts';
import { MemoryStore } from '../memory/memory-store.ts';
import { Selection } from '../selection.ts';
import type { Change, Draft, Store } from '../store.ts';
import { encodePairs } from '../stored-object.ts';
import type { ListPage } from './list-cache.ts';

export interface Thing {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly value: string;
}

const HEAD = '{"kind":"Thing","apiVersion":"v1",';

export function draft(name: string, value: string, color = 'red', schemaFingerprint = 'm1'): Draft {
  const start = `${HEAD}"metadata":{"name":${JSON.stringify(name)},"resourceVersion":"`;
  return {
    json: Buffer.from(`${start}"},"value":${JSON.stringify(value)}}`),
    revisionOffset: Buffer.byteLength(start),
    listItemOffset: HEAD.length,
    labels: encodePairs({ color }),
    selectableFields: '',
    schemaFingerprint,
  };
}

export function put(
  store: Store,
  name: string,
  value = 'x',
  color = 'red',
  schemaFingerprint = 'm1',
): Promise<Change> {
  return store.commit({
    prefix: 'things',
    key: `things/${name}`,
    draft: draft(name, value, color, schemaFingerprint),
  });
}

export function remove(store: Store, name: string): Promise<Change> {
  return store.commit({ prefix: 'things', key: `things/${name}`, draft: null });
}

/** A write to another resource. */
export function putOther(store: Store): Promise<Change> {
  return store.commit({ prefix: 'others', key: 'others/x', draft: draft('x', '') });
}

export function colored(color: string): Selection {
  return new Selection(`color=${color}`, { labels: (labels) => labels.get('color') === color });
}

export function textOf(page: ListPage): string {
  return concatChunks(page.chunks()).toString();
}

export function thingsOf(page: ListPage): Thing[] {
  return JSON.parse(`[${textOf(page)}]`);
}

export function namesOf(page: ListPage): string[] {
  return thingsOf(page).map((thing) => thing.metadata.name);
}

/** Every backend, with the number of runs of a property-based test that take a reasonable time. */
export const backends: readonly {
  readonly name: string;
  readonly runs: number;
  /** Runs `body` with a new store and cleans up afterwards. */
  use(body: (store: Store) => Promise<void>): Promise<void>;
}[] = [
  {
    name: 'memory',
    runs: 300,
    async use(body) {
      const store = new MemoryStore({ clock: systemClock });
      await body(store).finally(() => store.close());
    },
  },
  {
    name: 'lmdb',
    runs: 12,
    async use(body) {
      const dir = mkdtempSync(join(tmpdir(), 'orch-runs-'));
      const store = LmdbStore.open({ dir, clock: systemClock, dialect: 'orch' });
      try {
        await body(store).finally(() => store.close());
      } finally {
        rmSync(dir, { recursive: true });
      }
    },
  },
];
