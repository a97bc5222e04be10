/**
 * Restores a backup into etcd, in place of everything under a prefix.
 *
 * The marker is a key beside the objects that describes the data: its dialect, the offset between etcd's revisions and
 * those that clients see, and whether a restore is running (marker.ts).
 *
 * Invariants:
 * - The first transaction deletes all keys and sets `restoring` in the marker; the last one clears it. In between no
 *   server starts or writes, whether or not it knows of the restore.
 * - Each object gets a new revision from etcd. The marker's offset makes it higher than every revision that a client
 *   may have seen, however new this etcd is.
 */
import { randomUUID } from 'node:crypto';
import { BackupError, toDraft } from '../backup/format.ts';
import { type Backup, readObjects } from '../backup/read-backup.ts';
import { type RestoreOptions, type RestoreResult, revisionAfterRestore } from '../backup/restore-options.ts';
import { StorageUnavailable } from '../store.ts';
import { type EtcdLocation, withEtcdClient } from './backup.ts';
import { keyRangeUnder } from './full-sync.ts';
import { decodeMarker, encodeMarker, type MarkerContent, markerKey, newMarkerContent } from './marker.ts';
import { CallError } from './rpc/connection.ts';
import type { EtcdClient } from './rpc/etcd-client.ts';
import type { KeyValue, TxnRequest } from './rpc/messages.ts';
import { encodeValue } from './value.ts';

/** Concurrent writes, which share etcd's fsync. */
const MAX_CONCURRENT_WRITES = 100;
/** Deleting everything takes a while. An unreachable etcd is detected earlier, by a call with the default timeout. */
const TIMEOUT_MS = 60_000;
/** Allowance for keys, the marker and the framing of a transaction. */
const OVERHEAD_BYTES = 8_192;

export async function restoreEtcd(
  backup: Backup,
  location: EtcdLocation,
  { force, onProgress }: RestoreOptions,
): Promise<RestoreResult> {
  const { prefix } = location;
  const { marker, revision: etcdRevision } = await withEtcdClient(location, (client) =>
    readExistingMarker(client, prefix, force),
  );
  const revision = revisionAfterRestore(backup.revision, etcdRevision + (marker?.content.offset ?? 0));
  const content: MarkerContent = { ...newMarkerContent(backup.dialect), offset: revision - etcdRevision };
  return withEtcdClient({ ...location, timeoutMs: TIMEOUT_MS }, async (client) => {
    await assertLargestObjectFits(client, prefix, backup);
    const target = new RestoreTarget(client, prefix, content);
    try {
      await target.begin(marker?.kv);
      await target.fill(backup, onProgress);
      await target.finish();
    } catch (error) {
      if (error instanceof NotStarted) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new BackupError(
        `${reason}; the restore did not finish, and the data under ${prefix} is unusable: run it again with --force`,
        { cause: error },
      );
    }
    return { objects: backup.objects, revision };
  });
}

interface ExistingMarker {
  readonly kv: KeyValue;
  readonly content: MarkerContent;
}

/** Reads the marker and etcd's revision. Rejects existing data unless `force` is set. */
async function readExistingMarker(
  client: EtcdClient,
  prefix: string,
  force: boolean,
): Promise<{ readonly marker: ExistingMarker | undefined; readonly revision: number }> {
  const key = markerKey(prefix);
  const { header, kvs } = await client.range({ key });
  const [kv] = kvs;
  const marker = kv && { kv, content: decodeMarker(key, kv.value) };
  if (!force) {
    const { kvs: objects } = await client.range({ ...keyRangeUnder(prefix), limit: 1 });
    if (marker?.content.restoring !== undefined) {
      throw new BackupError(`a restore to ${prefix} is running or did not finish; add --force to start over`);
    }
    if (marker || objects.length > 0) {
      throw new BackupError(
        `${prefix} already contains objects, which would be deleted; choose another --etcd-prefix, or add --force`,
      );
    }
  }
  return { marker, revision: header.revision };
}

/**
 * Checks that etcd accepts the largest object, before anything is deleted: sends a transaction of that size whose
 * precondition never holds.
 */
async function assertLargestObjectFits(
  client: EtcdClient,
  prefix: string,
  { largest }: Backup,
): Promise<void> {
  const value = Buffer.alloc(largest.bytes + OVERHEAD_BYTES);
  try {
    await client.txn({ key: markerKey(prefix), expect: { version: Number.MAX_SAFE_INTEGER }, value });
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    throw new BackupError(
      `etcd rejects ${largest.key}, the largest object with ${largest.bytes} bytes (${error.message}); ` +
        'raise its --max-request-bytes',
    );
  }
}

/** The restore did not start: nothing has been changed. */
class NotStarted extends BackupError {}

class RestoreTarget {
  readonly #client: EtcdClient;
  readonly #prefix: string;
  readonly #key: string;
  readonly #completeMarker: Buffer;
  readonly #restoringMarker: Buffer;

  constructor(client: EtcdClient, prefix: string, content: MarkerContent) {
    this.#client = client;
    this.#prefix = prefix;
    this.#key = markerKey(prefix);
    this.#completeMarker = encodeMarker(content);
    // Distinguishes concurrent restores: each writes only while the marker is its own.
    this.#restoringMarker = encodeMarker({ ...content, restoring: randomUUID() });
  }

  /** Deletes everything under the prefix, provided that the marker is still `existing`. */
  async begin(existing: KeyValue | undefined): Promise<void> {
    const { succeeded } = await this.#client.txn({
      key: this.#key,
      expect: { modRevision: existing?.modRevision ?? 0 },
      value: this.#restoringMarker,
      deleteRange: keyRangeUnder(this.#prefix),
    });
    if (!succeeded) {
      throw new NotStarted(
        `servers are writing to ${this.#prefix}; stop them, and run it again. Nothing was changed`,
      );
    }
  }

  async fill(backup: Backup, onProgress: RestoreOptions['onProgress']): Promise<void> {
    const pending = new Set<Promise<void>>();
    let failure: { readonly error: unknown } | undefined;
    let objects = 0;
    for await (const { prefix, object } of readObjects(backup)) {
      const key = `${keyRangeUnder(this.#prefix).key}${object.key}`;
      const write = this.#put(key, encodeValue(prefix, toDraft(object)))
        .then(() => onProgress(++objects))
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => pending.delete(write));
      pending.add(write);
      if (pending.size >= MAX_CONCURRENT_WRITES) await Promise.race(pending);
      if (failure) break;
    }
    await Promise.all(pending);
    if (failure) throw failure.error;
  }

  /** Ends the restore: servers can use the data from here on. */
  finish(): Promise<void> {
    return this.#write({
      key: this.#key,
      expect: { value: this.#restoringMarker },
      value: this.#completeMarker,
    });
  }

  #put(key: string, value: Buffer): Promise<void> {
    return this.#write({
      key,
      expect: undefined,
      value,
      marker: { key: this.#key, value: this.#restoringMarker },
    });
  }

  /** A transaction whose precondition fails means that another restore has taken over the marker. */
  async #write(request: TxnRequest): Promise<void> {
    const { succeeded } = await this.#client.txn(request);
    if (!succeeded) throw new StorageUnavailable(`another restore to ${this.#prefix} is running`);
  }
}
