/**
 * Backup source of an etcd prefix: a consistent snapshot, also while servers use it. The marker (marker.ts) is a key beside
 * the objects that has their dialect (the set of API names) and converts revisions.
 */
import { BackupError } from '../backup/format.ts';
import type { BackupSource } from '../backup/write-backup.ts';
import type { Revision } from '../store.ts';
import { spliceRevision } from '../stored-object.ts';
import { keyRangeUnder, PAGE_SIZE } from './full-sync.ts';
import { decodeMarker, Marker, markerKey } from './marker.ts';
import { CallError, statusCodes } from './rpc/connection.ts';
import { EtcdClient, type EtcdClientOptions } from './rpc/etcd-client.ts';
import { decodeValue } from './value.ts';

export interface EtcdLocation extends EtcdClientOptions {
  /** The etcd prefix of all keys, without a trailing slash. */
  readonly prefix: string;
}

/** Pages may be large. An unreachable etcd is detected earlier, by a call with the default timeout. */
const PAGE_TIMEOUT_MS = 60_000;

/** Calls `use` with the latest state, read page by page at one revision. */
export async function withEtcdSnapshot<T>(
  location: EtcdLocation,
  use: (source: BackupSource) => Promise<T>,
): Promise<T> {
  const dialect = await withEtcdClient(location, (client) => readDialect(client, location.prefix));
  return withEtcdClient({ ...location, timeoutMs: PAGE_TIMEOUT_MS }, async (client) => {
    const marker = new Marker(client, location.prefix, dialect);
    // `revision` is etcd's latest, at which the pages are read; `lastWrite` is that of the last Orch write up to it.
    const { revision, lastWrite } = await marker.readAndAdopt();
    return use({
      dialect,
      revision: lastWrite,
      objects: () => objectsAt(client, location.prefix, marker, marker.toEtcdRevision(revision)),
    });
  });
}

/** Calls `use` with a client, and closes it afterwards. */
export async function withEtcdClient<T>(
  options: EtcdClientOptions,
  use: (client: EtcdClient) => Promise<T>,
): Promise<T> {
  const client = new EtcdClient(options);
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

async function readDialect(client: EtcdClient, prefix: string): Promise<string> {
  const key = markerKey(prefix);
  const { kvs } = await client.range({ key });
  if (!kvs[0])
    throw new BackupError(`no server has used ${prefix} in this etcd: the key ${key} does not exist`);
  return decodeMarker(key, kvs[0].value).dialect;
}

async function* objectsAt(client: EtcdClient, prefix: string, marker: Marker, etcdRevision: Revision) {
  const range = keyRangeUnder(prefix);
  for (let pageStart = range.key; ; ) {
    const { kvs, more } = await client
      .range({ ...range, key: pageStart, limit: PAGE_SIZE, revision: etcdRevision })
      .catch((error: unknown) => throwReadError(error));
    for (const { key: etcdKey, modRevision, value } of kvs) {
      const key = etcdKey.slice(range.key.length);
      const decoded = decodeValue(key, value);
      if (decoded)
        yield {
          prefix: decoded.prefix,
          object: spliceRevision(decoded.draft, key, marker.toClientRevision(modRevision)),
        };
    }
    const last = kvs[kvs.length - 1];
    if (!more || !last) return;
    pageStart = `${last.key}\0`;
  }
}

/** Explains etcd's error for a compacted revision. */
function throwReadError(error: unknown): never {
  if (error instanceof CallError && error.code === statusCodes.outOfRange) {
    throw new BackupError(
      'etcd compacted the revision while it was being read; try again, or raise --etcd-compaction-interval',
    );
  }
  throw error;
}
