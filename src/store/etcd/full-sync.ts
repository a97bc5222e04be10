/**
 * Full sync: replaces the local copy with everything that etcd holds at one revision, and discards its history. While
 * it is incomplete the file is marked as empty, so that a partial copy is never taken for a complete one.
 */
import type { LmdbEnvironment } from '../lmdb/environment.ts';
import { recordOf } from '../lmdb/record.ts';
import { expiryKey, type StoreState, type Tables, writeState } from '../lmdb/tables.ts';
import type { Revision } from '../store.ts';
import type { EtcdPosition, Marker } from './marker.ts';
import type { EtcdClient } from './rpc/etcd-client.ts';
import type { KeyValue } from './rpc/messages.ts';
import { type DecodedValue, decodeValue } from './value.ts';

/** Page size: small enough for large objects, large enough to read small ones quickly. */
export const PAGE_SIZE = 500;

export interface EtcdRange {
  /** The key prefix, and the first key after the range. */
  readonly key: string;
  readonly end: string;
}

/** All keys under a prefix. */
export function rangeOf(prefix: string): EtcdRange {
  return { key: `${prefix}/`, end: `${prefix}0` };
}

/** Returns the revision of the copy, after which the watch resumes. */
export async function fullSync(
  client: EtcdClient,
  range: EtcdRange,
  marker: Marker,
  environment: LmdbEnvironment,
): Promise<EtcdPosition> {
  const { header, ...first } = await client.range({ ...range, limit: PAGE_SIZE });
  let { kvs, more } = first;
  const position = await marker.read(header.revision);
  await environment.write((tables) => {
    clear(tables);
    tables.meta.put('state', writeState(emptyState));
  });
  let objects = 0;
  let newest = position.lastWrite;
  for (;;) {
    const page = kvs;
    await environment.write((tables) => {
      for (const kv of page) if (put(tables, range, kv, marker.toClientRevision(kv.modRevision))) objects++;
    });
    for (const { modRevision } of page) newest = Math.max(newest, marker.toClientRevision(modRevision));
    const last = page[page.length - 1];
    if (!more || !last) break;
    const { revision } = header;
    ({ kvs, more } = await client.range({ ...range, key: `${last.key}\0`, limit: PAGE_SIZE, revision }));
  }
  await environment.write((tables) => {
    tables.meta.put('state', writeState({ revision: newest, compacted: newest, objects }));
    tables.meta.put(SOURCE, Buffer.from(marker.sourceId(position.clusterId)));
  });
  return { ...position, revision: marker.toClientRevision(header.revision) };
}

/** Identifies the etcd (and restore) that the file is a copy of. */
export function readCopySource({ snapshot }: LmdbEnvironment): string | undefined {
  return snapshot.tables.meta.get(SOURCE, snapshot.options)?.toString();
}

/** At least eight bytes: lmdb at times did not find shorter keys next to others. */
const SOURCE = 'copied-from';
const emptyState: StoreState = { revision: 0, compacted: 0, objects: 0 };

function clear({ objects, versions, log, order, expiries }: Tables): void {
  for (const table of [objects, versions, log, order, expiries]) void table.clearAsync();
}

function put(tables: Tables, range: EtcdRange, { key: path, value }: KeyValue, revision: Revision): boolean {
  const key = path.slice(range.key.length);
  const read: DecodedValue | undefined = decodeValue(key, value);
  if (!read) return false;
  const { prefix, draft } = read;
  tables.objects.put(key, recordOf(prefix, draft, revision));
  if (draft.expiresAt !== undefined)
    tables.expiries.put(expiryKey(draft.expiresAt, key), Buffer.from(prefix));
  return true;
}
