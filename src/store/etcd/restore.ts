/**
 * Puts a backup into etcd in place of all that is there under a prefix.
 *
 * - The first write deletes all, and has the marker say that a backup is being restored; the last one has it say that all
 *   is there. In between no server starts or writes, whether it knew of the restoring or not.
 * - Each object gets a revision of its own from etcd. What the marker says is added to it makes it higher than every one
 *   that a client may have seen, however young this etcd is.
 */
import { randomUUID } from 'node:crypto';
import { BackupError, draftOf } from '../backup/format.ts';
import { type Backup, objectsOf } from '../backup/read-backup.ts';
import { farBehind, type Restored, type RestoreSettings } from '../backup/restoring.ts';
import { StorageUnavailable } from '../store.ts';
import { type EtcdPlace, withEtcd } from './backup.ts';
import { rangeOf } from './full-read.ts';
import { markerKey, markerValue, newSaid, readSaid, type Said } from './marker.ts';
import { CallError } from './rpc/connection.ts';
import type { EtcdClient } from './rpc/etcd-client.ts';
import type { KeyValue, TxnRequest } from './rpc/messages.ts';
import { writeValue } from './value.ts';

/** Writes that are under way at a time; etcd has one sync of its disk for all that wait. */
const AT_ONCE = 100;
/** To delete everything takes a while. That nobody answers at all is found out before. */
const TIMEOUT_MS = 60_000;
/** Keys, the marker and the rest of what is sent with an object. */
const ROOM_BYTES = 8_192;

export async function restoreEtcd(
  backup: Backup,
  place: EtcdPlace,
  { force, onProgress }: RestoreSettings,
): Promise<Restored> {
  const { prefix } = place;
  const { marker, revision: etcds } = await withEtcd(place, (client) => look(client, prefix, force));
  const revision = farBehind(backup.revision, etcds + (marker?.said.offset ?? 0));
  const said: Said = { ...newSaid(backup.dialect), offset: revision - etcds };
  return withEtcd({ ...place, timeoutMs: TIMEOUT_MS }, async (client) => {
    await tryLargest(client, prefix, backup);
    const target = new Target(client, prefix, said);
    try {
      await target.begin(marker?.found);
      await target.fill(backup, onProgress);
      await target.finish();
    } catch (error) {
      if (error instanceof NotBegun) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new BackupError(
        `${why}; the restore did not finish, and the data under ${prefix} is unusable: run it again with --force`,
        { cause: error },
      );
    }
    return { objects: backup.objects, revision };
  });
}

interface Found {
  readonly found: KeyValue;
  readonly said: Said;
}

/** What is there now. */
async function look(
  client: EtcdClient,
  prefix: string,
  force: boolean,
): Promise<{ readonly marker: Found | undefined; readonly revision: number }> {
  const key = markerKey(prefix);
  const { header, kvs } = await client.range({ key });
  const [found] = kvs;
  const marker = found && { found, said: readSaid(key, found.value) };
  if (!force) {
    const { kvs: objects } = await client.range({ ...rangeOf(prefix), limit: 1 });
    if (marker?.said.restoring !== undefined) {
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

/** A write that is not to be done, but as large as the largest will be: etcd must take it before anything is deleted. */
async function tryLargest(client: EtcdClient, prefix: string, { largest }: Backup): Promise<void> {
  const value = Buffer.alloc(largest.bytes + ROOM_BYTES);
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

/** Nothing has been changed. */
class NotBegun extends BackupError {}

class Target {
  readonly #client: EtcdClient;
  readonly #prefix: string;
  readonly #key: string;
  readonly #whole: Buffer;
  readonly #unfinished: Buffer;

  constructor(client: EtcdClient, prefix: string, said: Said) {
    this.#client = client;
    this.#prefix = prefix;
    this.#key = markerKey(prefix);
    this.#whole = markerValue(said);
    // Two at a time do not mix: each writes only while the marker is its own.
    this.#unfinished = markerValue({ ...said, restoring: randomUUID() });
  }

  async begin(found: KeyValue | undefined): Promise<void> {
    const { succeeded } = await this.#client.txn({
      key: this.#key,
      expect: { modRevision: found?.modRevision ?? 0 },
      value: this.#unfinished,
      clearing: rangeOf(this.#prefix),
    });
    if (!succeeded) {
      throw new NotBegun(
        `servers are writing to ${this.#prefix}; stop them, and run it again. Nothing was changed`,
      );
    }
  }

  async fill(backup: Backup, onProgress: RestoreSettings['onProgress']): Promise<void> {
    const underWay = new Set<Promise<void>>();
    let failure: { readonly error: unknown } | undefined;
    let objects = 0;
    for await (const { prefix, object } of objectsOf(backup)) {
      const key = `${rangeOf(this.#prefix).key}${object.key}`;
      const putting = this.#put(key, writeValue(prefix, draftOf(object)))
        .then(() => onProgress(++objects))
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => underWay.delete(putting));
      underWay.add(putting);
      if (underWay.size >= AT_ONCE) await Promise.race(underWay);
      if (failure) break;
    }
    await Promise.all(underWay);
    if (failure) throw failure.error;
  }

  finish(): Promise<void> {
    return this.#write({ key: this.#key, expect: { value: this.#unfinished }, value: this.#whole });
  }

  #put(key: string, value: Buffer): Promise<void> {
    return this.#write({
      key,
      expect: undefined,
      value,
      beside: { key: this.#key, value: this.#unfinished },
    });
  }

  async #write(request: TxnRequest): Promise<void> {
    const { succeeded } = await this.#client.txn(request);
    if (!succeeded) throw new StorageUnavailable(`another restore to ${this.#prefix} is running`);
  }
}
