/**
 * Storage backend for several servers: etcd orders all writes, and each server reads from a local LMDB copy that
 * follows one watch. The copy survives the process, so a restarted server resumes from it.
 *
 * Invariants:
 * - Revisions are assigned by etcd. An offset is added so that they keep increasing after a restored backup.
 * - A write resolves, or is rejected with the current object, only once the copy shows that state: a writer reads its
 *   own writes.
 * - The latest revision is determined by a linearizable read of etcd.
 */
import { ReplicaReader } from '../consistent-reader.ts';
import { ExpirySweep } from '../lmdb/expiry-sweep.ts';
import { LmdbBacked, type LmdbFileOptions, type LockedDirectory, openLocked } from '../lmdb/lmdb-backed.ts';
import {
  type Change,
  ObjectTooLarge,
  PreconditionFailed,
  type Revision,
  StorageUnavailable,
  type StoredObject,
  type StoreStats,
  TransactionConflict,
  type Write,
} from '../store.ts';
import { checkKey, spliceRevision } from '../stored-object.ts';
import { Compactor } from './compactor.ts';
import { EtcdWatch, type WatchGap } from './etcd-watch.ts';
import { type EtcdRange, fullSync, rangeOf, readCopySource } from './full-sync.ts';
import { HeadReader } from './head-reader.ts';
import { DataReplaced, isSourceInCluster, Marker } from './marker.ts';
import { CallError, statusCodes } from './rpc/connection.ts';
import { EtcdClient, type EtcdClientOptions } from './rpc/etcd-client.ts';
import type { KeyValue, TxnRequest } from './rpc/messages.ts';
import { decodeValue, encodeValue } from './value.ts';

export interface EtcdStoreOptions extends LmdbFileOptions, EtcdClientOptions {
  /** The etcd prefix of all keys, without a trailing slash: `/registry`. */
  readonly prefix: string;
  /** Interval of compaction; each compacts up to the revision of the previous one. 0 disables it. */
  readonly compactionMs?: number;
  /** Called when the watch on etcd is lost, and when it is re-established. */
  readonly onWatchLost?: (error: Error) => void;
  readonly onWatchRestored?: () => void;
}

/** The outcome of a transaction, with the offset applied to revisions. */
type TxnOutcome =
  | { readonly succeeded: true; readonly revision: Revision }
  | {
      readonly succeeded: false;
      /** The revision of the last write by any Orch server. */
      readonly revision: Revision;
      /** The object at the key. */
      readonly current: StoredObject | undefined;
      /** The revision of the last write in the same conflict scope. */
      readonly scopeRevision: Revision | undefined;
    };

const ROLLED_BACK = 'etcd was restored to an earlier state';

/** Each replica delays expiry by up to this, so that usually one of them does the deletions. */
const EXPIRY_SPREAD_MS = 500;

export class EtcdStore extends LmdbBacked {
  readonly isShared = true;
  readonly reader = new ReplicaReader(this);
  readonly #client: EtcdClient;
  readonly #range: EtcdRange;
  readonly #marker: Marker;
  readonly #timeoutMs: number;
  readonly #heads: HeadReader;
  readonly #expiry: ExpirySweep;
  readonly #compactor: Compactor;
  /** The last pending write by key: writes to one key are serialized. */
  readonly #lastByKey = new Map<string, Promise<unknown>>();
  readonly #pending = new Set<Promise<unknown>>();
  /** Changes received for keys with pending writes: the watch may deliver a write before its response arrives. */
  readonly #receivedChanges = new Map<string, Change[]>();
  readonly #onWatchLost: (error: Error) => void;
  readonly #onWatchRestored: () => void;
  #watch: EtcdWatch | undefined;
  #watchError: Error | undefined;
  #closed = false;

  private constructor(options: EtcdStoreOptions, file: LockedDirectory, client: EtcdClient) {
    super(options, file);
    this.#client = client;
    this.#onWatchLost = options.onWatchLost ?? (() => {});
    this.#onWatchRestored = options.onWatchRestored ?? (() => {});
    this.#timeoutMs = options.timeoutMs ?? 5_000;
    this.#range = rangeOf(options.prefix);
    this.#marker = new Marker(client, options.prefix, options.dialect);
    this.#heads = new HeadReader({
      readLatest: () =>
        this.#readHead().catch((error: unknown) => {
          throw unavailable(error);
        }),
      applied: () => this.revision,
      timeoutMs: this.#timeoutMs,
      watchError: () => this.#watchError,
      onTimeout: () => this.#watch?.onStalled(),
    });
    const deleting = {
      current: (key: string) => this.queue.current(key),
      commit: (write: Write) => this.commit(write),
    };
    const delay = Math.random() * EXPIRY_SPREAD_MS;
    this.#expiry = new ExpirySweep(this.environment, deleting, options.clock, delay);
    this.#compactor = new Compactor(client, options.clock, options.compactionMs ?? 5 * 60_000);
    this.subscribe((changes) => {
      for (const change of changes) this.#receivedChanges.get(change.key)?.push(change);
      this.#expiry.onChanges(changes);
      this.#heads.advance(this.revision);
    });
  }

  /**
   * Resolves once the copy has caught up with etcd. Throws DataDirectoryError if the directory of the copy cannot be
   * used, StorageUnavailable if etcd is unreachable or has data of another dialect.
   */
  static async open(options: EtcdStoreOptions): Promise<EtcdStore> {
    const file = openLocked(options, 'copy');
    const store = new EtcdStore(options, file, new EtcdClient(options));
    try {
      await store.#start();
      return store;
    } catch (error) {
      await store.close();
      throw unavailable(error);
    }
  }

  async #start(): Promise<void> {
    let { clusterId, revision, lastWrite } = await this.#marker.claim();
    const source = readCopySource(this.environment);
    if (source && isSourceInCluster(source, clusterId) && this.revision > revision) {
      await this.#marker.raiseOffset(this.revision);
      ({ clusterId, revision, lastWrite } = await this.#marker.claim());
    }
    const isCopy =
      !this.environment.isOlder &&
      source === this.#marker.sourceId(clusterId) &&
      this.revision > 0 &&
      this.revision <= revision;
    const startRevision = isCopy ? this.revision : await this.#fullSync();
    const current = () => this.revision;
    this.#watch = new EtcdWatch(this.#client, this.#range, this.#marker, startRevision, {
      get revision() {
        return current();
      },
      current: (key) => this.queue.current(key),
      apply: (change) => this.queue.applyReplicated(change),
      resync: (lost) => this.#resync(lost),
      onStatus: (error) => this.#onWatchStatus(error),
    });
    await this.#heads.waitFor(lastWrite);
  }

  commit(write: Write): Promise<Change> {
    const { prefix, key } = write;
    try {
      if (this.#closed) throw new StorageUnavailable('the store is closed');
      checkKey(prefix, key);
    } catch (error) {
      return Promise.reject(error);
    }
    const before = this.#lastByKey.get(key);
    const received: Change[] = this.#receivedChanges.get(key) ?? [];
    this.#receivedChanges.set(key, received);
    const txn = before ? before.then(() => this.#txn(write)) : this.#txn(write);
    const settled = txn.then(
      () => {},
      () => {},
    );
    this.#lastByKey.set(key, settled);
    const committing = txn
      .then((response) => this.#waitUntilVisible(write, response, received))
      .catch((error: unknown) => {
        throw error instanceof PreconditionFailed || error instanceof TransactionConflict
          ? error
          : unavailable(error);
      })
      .finally(() => {
        this.#pending.delete(committing);
        if (this.#lastByKey.get(key) !== settled) return;
        this.#lastByKey.delete(key);
        this.#receivedChanges.delete(key);
      });
    this.#pending.add(committing);
    return committing;
  }

  head(): Promise<Revision> {
    if (this.#closed) return Promise.reject(new StorageUnavailable('the store is closed'));
    return this.#heads.latest();
  }

  override stats(): StoreStats {
    const stats = super.stats();
    return { ...stats, bytes: this.#compactor.bytes ?? stats.bytes };
  }

  protected async finish(): Promise<void> {
    this.#closed = true;
    this.#expiry.stop();
    this.#compactor.stop();
    await Promise.allSettled(this.#pending);
    await this.#watch?.stop();
    this.#heads.stop();
    this.#client.close();
  }

  async #txn(write: Write): Promise<TxnOutcome> {
    const before = this.revision;
    // Read before the call: both may change while it is pending.
    const { value, offset } = this.#marker;
    const { header, succeeded, current, marker, conflictScope } = await this.#client.txn(
      this.#requestOf(write),
    );
    if (!succeeded) {
      if (!marker?.value.equals(value)) this.#resyncIfReplaced(this.#marker.replacedError(marker));
      const object = current && objectOf(write.key, current, offset);
      const scopeRevision = conflictScope && conflictScope.modRevision + offset;
      return { succeeded, revision: marker.modRevision + offset, current: object, scopeRevision };
    }
    const revision = header.revision + offset;
    if (revision <= before) {
      this.#watch?.forceResync(ROLLED_BACK);
      throw new StorageUnavailable(
        `${ROLLED_BACK}; the write was committed there, and everything is read again`,
      );
    }
    return { succeeded, revision };
  }

  #requestOf({ prefix, key, expect, draft, conflictScope }: Write): TxnRequest {
    // A deletion of an absent key must fail.
    const mustExist = !draft && (expect === undefined || expect === 0);
    // A revision from before a restored backup cannot match any key.
    const modRevision = expect && (this.#marker.toEtcdRevision(expect) || Number.MAX_SAFE_INTEGER);
    const expected = modRevision === undefined ? undefined : { modRevision };
    const value = draft && encodeValue(prefix, draft);
    const marker = this.#marker;
    return {
      key: this.#range.key + key,
      expect: mustExist ? 'exists' : expected,
      value,
      marker,
      ...(conflictScope && {
        conflictScope: {
          key: `${marker.key}.${conflictScope.name}`,
          asOf: this.#marker.toEtcdRevision(conflictScope.asOf),
          value: marker.value,
        },
      }),
    };
  }

  /** The change that the write made, once the copy shows it. */
  async #waitUntilVisible(
    { prefix, key, draft, conflictScope }: Write,
    outcome: TxnOutcome,
    received: Change[],
  ): Promise<Change> {
    const { succeeded, revision } = outcome;
    await this.#heads.waitFor(revision);
    if (!succeeded) {
      if (conflictScope && (outcome.scopeRevision ?? 0) > conflictScope.asOf)
        throw new TransactionConflict(
          `a concurrent write of ${conflictScope.name} conflicts with that of ${key}`,
        );
      throw new PreconditionFailed(key, outcome.current);
    }
    const change = received.find((each) => each.revision === revision);
    if (change) return change;
    // The copy was rebuilt meanwhile, so the change itself was not received.
    if (!draft) throw new StorageUnavailable(`${key} was deleted, but its last state is no longer known`);
    return {
      revision,
      type: 'updated',
      prefix,
      key,
      object: spliceRevision(draft, key, revision),
      at: Date.now(),
    };
  }

  async #readHead(): Promise<Revision> {
    const before = this.revision;
    const { revision, lastWrite } = await this.#marker
      .read()
      .catch((error: unknown) => this.#resyncIfReplaced(error));
    if (revision >= before) return lastWrite;
    this.#watch?.forceResync(ROLLED_BACK);
    throw new StorageUnavailable(
      `etcd is at revision ${revision}, but was at ${before}; everything is read again`,
    );
  }

  #resyncIfReplaced(error: unknown): never {
    if (error instanceof DataReplaced) this.#watch?.forceResync(error.message);
    throw error;
  }

  #onWatchStatus(error: Error | undefined): void {
    const before = this.#watchError;
    this.#watchError = error;
    if (error && !before) this.#onWatchLost(error);
    else if (before && !error) this.#onWatchRestored();
  }

  async #resync({ isCompacted }: WatchGap): Promise<Revision> {
    const before = this.revision;
    let state = await this.#marker.readAndAdopt();
    if (state.revision < before) {
      await this.#marker.raiseOffset(before);
      state = await this.#marker.readAndAdopt();
    }
    const { revision, lastWrite, isOther } = state;
    return isCompacted && !isOther && lastWrite === this.revision ? revision : this.#fullSync();
  }

  async #fullSync(): Promise<Revision> {
    let startRevision: Revision = 0;
    await this.queue.replace(async () => {
      const { revision } = await fullSync(this.#client, this.#range, this.#marker, this.environment);
      startRevision = revision;
    });
    this.notifyReset();
    this.#heads.advance(this.revision);
    return startRevision;
  }
}

function objectOf(key: string, { value, modRevision }: KeyValue, offset: number): StoredObject | undefined {
  const read = decodeValue(key, value);
  return read && spliceRevision(read.draft, key, modRevision + offset);
}

function unavailable(error: unknown): Error {
  if (!(error instanceof CallError)) return error instanceof Error ? error : new Error(String(error));
  const { code, message, hadNoEffect } = error;
  if (/request is too large|larger than max/.test(message)) return new ObjectTooLarge(message);
  if (message.includes('database space exceeded'))
    return new StorageUnavailable(
      `etcd is full (${message}): defragment it or give it a larger --quota-backend-bytes, then run etcdctl alarm disarm`,
      { cause: error },
    );
  const isUnknown =
    !hadNoEffect && (code === statusCodes.unavailable || code === statusCodes.deadlineExceeded);
  const outcome = isUnknown ? '; whether a write was done is not known' : '';
  return new StorageUnavailable(`etcd: ${message}${outcome}`, { cause: error });
}
