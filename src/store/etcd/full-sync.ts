/**
 * Full sync: replaces the local replica with everything that etcd holds at one revision, and discards its history.
 *
 * The marker (marker.ts) is a key beside the objects in etcd. It converts etcd's revisions to those that clients see.
 *
 * Invariant: until the sync is complete the state of the file says revision 0, so that a partial replica is never taken
 * for a complete one.
 */
import type { LmdbEnvironment } from '../lmdb/environment.ts';
import { writeCatalogue } from '../lmdb/index-catalogue.ts';
import { encodeRecord } from '../lmdb/record.ts';
import { expiryKey, type StoreState, type Tables, writeState } from '../lmdb/tables.ts';
import type { Revision } from '../store.ts';
import type { EtcdPosition, Marker } from './marker.ts';
import type { EtcdClient } from './rpc/etcd-client.ts';
import type { KeyValue } from './rpc/messages.ts';
import { type DecodedValue, decodeValue } from './value.ts';

/** Page size: small enough for large objects, large enough to read small ones quickly. */
export const PAGE_SIZE = 500;

export interface EtcdRange {
  /** The first key of the range: here the prefix of all keys in it. */
  readonly key: string;
  /** The first key after the range. */
  readonly end: string;
}

/** All keys under a prefix. Its end is the first key after `prefix/`, since `0` follows `/` in ASCII. */
export function keyRangeUnder(prefix: string): EtcdRange {
  return { key: `${prefix}/`, end: `${prefix}0` };
}

/** Returns the position that was read. The watch starts after its `revision`. */
export async function fullSync(
  client: EtcdClient,
  range: EtcdRange,
  marker: Marker,
  environment: LmdbEnvironment,
): Promise<EtcdPosition> {
  const { header, ...firstPage } = await client.range({ ...range, limit: PAGE_SIZE });
  let { kvs, more } = firstPage;
  const position = await marker.read(header.revision);
  await environment.write((tables) => {
    clear(tables);
    tables.meta.put('state', writeState(emptyState));
  });
  let objects = 0;
  // Other programs may have written keys under the prefix after the last write of an Orch server.
  let newestRevision = position.lastWrite;
  for (;;) {
    const page = kvs;
    await environment.write((tables) => {
      for (const kv of page) {
        const isPut = putObject(tables, range, kv, marker.toClientRevision(kv.modRevision));
        if (isPut) objects++;
      }
    });
    for (const { modRevision } of page)
      newestRevision = Math.max(newestRevision, marker.toClientRevision(modRevision));
    const last = page[page.length - 1];
    if (!more || !last) break;
    const { revision } = header;
    ({ kvs, more } = await client.range({ ...range, key: `${last.key}\0`, limit: PAGE_SIZE, revision }));
  }
  await environment.write((tables) => {
    // No history: it is compacted up to the revision of the replica.
    tables.meta.put('state', writeState({ revision: newestRevision, compacted: newestRevision, objects }));
    tables.meta.put(SOURCE, Buffer.from(marker.sourceId(position.clusterId)));
  });
  return { ...position, revision: marker.toClientRevision(header.revision) };
}

/** Identifies the etcd (and restore) that the file is a replica of (`Marker.sourceId`); undefined if it is none. */
export function readReplicaSource({ snapshot }: LmdbEnvironment): string | undefined {
  return snapshot.tables.meta.get(SOURCE, snapshot.options)?.toString();
}

/** Key in the meta table. It has at least eight bytes: lmdb at times did not find shorter keys next to others. */
const SOURCE = 'copied-from';
const emptyState: StoreState = { revision: 0, compacted: 0, objects: 0 };

function clear(tables: Tables): void {
  const { objects, versions, log, order, expiries, indexes } = tables;
  for (const table of [objects, versions, log, order, expiries]) void table.clearAsync();
  for (const _entry of indexes?.getKeys({ limit: 1 }) ?? []) void indexes!.clearAsync();
  writeCatalogue(tables, []);
}

/** Returns false for a value that Orch did not write. */
function putObject(
  tables: Tables,
  range: EtcdRange,
  { key: etcdKey, value }: KeyValue,
  revision: Revision,
): boolean {
  const key = etcdKey.slice(range.key.length);
  const decoded: DecodedValue | undefined = decodeValue(key, value);
  if (!decoded) return false;
  const { prefix, draft } = decoded;
  tables.objects.put(key, encodeRecord(prefix, draft, revision));
  if (draft.expiresAtMs !== undefined)
    tables.expiries.put(expiryKey(draft.expiresAtMs, key), Buffer.from(prefix));
  return true;
}
