/**
 * Storage backend for several servers: etcd orders all writes, and each server reads from a local replica, an LMDB
 * file that one etcd watch keeps up to date. The replica survives the process, so a restarted server resumes from it.
 *
 * Invariants:
 * - A revision is that of etcd plus the marker's offset, so that revisions keep increasing when etcd's start over.
 * - A write resolves, or is rejected with the current object, only once the replica shows that state: a writer reads
 *   its own writes.
 * - `head` is determined by a linearizable read of etcd.
 * - Every write has the known value of the marker as a precondition: a server that has missed a restore cannot write.
 * - A write with a fence succeeds only if nobody has raised the fence since: etcd compares, so it does not matter when the
 *   write was sent.
 *
 * Terms:
 * - marker: a key beside the objects that every write updates too, whichever server makes it. Its value has the
 *   format, the dialect (the set of API names) and the offset, and changes when the data in etcd is replaced (marker.ts).
 * - `this.revision`: the last revision that the replica has applied.
 * - `lastWrite`: the mod_revision of the marker, which is the revision of the last write by any Orch server. A replica
 *   that has applied it is up to date, so `head` returns it.
 * - `revision` next to `lastWrite`: the current revision of etcd (plus the offset). It may be higher than `lastWrite`,
 *   since other programs write to the same etcd.
 * - `startRevision`: the watch delivers the changes after it.
 */
import { ReplicaReader } from '../consistent-reader.ts';
import { ExpirySweep } from '../lmdb/expiry-sweep.ts';
import {
  LmdbBackedStore,
  type LmdbFileOptions,
  type LockedDirectory,
  openLockedDirectory,
} from '../lmdb/lmdb-backed.ts';
import {
  type Change,
  type Fence,
  FencedOff,
  ObjectTooLarge,
  PreconditionFailed,
  type Revision,
  StorageFull,
  StorageUnavailable,
  type StoredObject,
  type StoreStats,
  TransactionConflict,
  type Write,
} from '../store.ts';
import { assertValidKey, spliceRevision } from '../stored-object.ts';
import { Compactor } from './compactor.ts';
import { EtcdWatch, type WatchGap } from './etcd-watch.ts';
import { type EtcdRange, fullSync, keyRangeUnder, readReplicaSource } from './full-sync.ts';
import { HeadReader } from './head-reader.ts';
import { DataReplaced, isSourceInCluster, Marker } from './marker.ts';
import { CallError, statusCodes } from './rpc/connection.ts';
import { EtcdClient, type EtcdClientOptions } from './rpc/etcd-client.ts';
import type { KeyValue, TxnRequest, TxnResponse } from './rpc/messages.ts';
import { decodeValue, encodeValue } from './value.ts';

export interface EtcdStoreOptions extends LmdbFileOptions, EtcdClientOptions {
  /** The etcd prefix of all keys, without a trailing slash: `/registry`. */
  readonly prefix: string;
  /** Interval of compaction, by default 5 minutes; each compacts up to the revision of the previous one. 0 disables it. */
  readonly compactionIntervalMs?: number;
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

/** Each server delays expiry by a random time up to this, so that usually one of them does the deletions. */
const EXPIRY_SPREAD_MS = 500;

export class EtcdStore extends LmdbBackedStore {
  readonly isShared = true;
  readonly reader = new ReplicaReader(this);
  readonly #client: EtcdClient;
  readonly #range: EtcdRange;
  readonly #marker: Marker;
  readonly #timeoutMs: number;
  readonly #headReader: HeadReader;
  readonly #expiry: ExpirySweep;
  readonly #compactor: Compactor;
  /** The last pending transaction of each key: transactions on one key are serialized. Never rejects. */
  readonly #lastTxnByKey = new Map<string, Promise<unknown>>();
  readonly #pendingCommits = new Set<Promise<unknown>>();
  /**
   * Changes that the watch delivered for keys with pending writes. A write finds its own change here, which may arrive
   * before the response of its transaction.
   */
  readonly #receivedChanges = new Map<string, Change[]>();
  readonly #onWatchLost: (error: Error) => void;
  readonly #onWatchRestored: () => void;
  /** Why etcd rejected the last write (alarm NOSPACE); undefined if it accepted it. */
  #outOfSpace: string | undefined;
  #watch: EtcdWatch | undefined;
  /** The error that interrupted the watch; undefined while it is established. */
  #watchError: Error | undefined;
  #closed = false;

  private constructor(options: EtcdStoreOptions, file: LockedDirectory, client: EtcdClient) {
    super(options, file);
    this.#client = client;
    this.#onWatchLost = options.onWatchLost ?? (() => {});
    this.#onWatchRestored = options.onWatchRestored ?? (() => {});
    this.#timeoutMs = options.timeoutMs ?? 5_000;
    this.#range = keyRangeUnder(options.prefix);
    this.#marker = new Marker(client, options.prefix, options.dialect);
    this.#headReader = new HeadReader({
      readLatest: () =>
        this.#readLastWrite().catch((error: unknown) => {
          throw toStoreError(error);
        }),
      applied: () => this.revision,
      timeoutMs: this.#timeoutMs,
      watchError: () => this.#watchError,
      onTimeout: () => this.#watch?.onStalled(),
    });
    const expiryTarget = {
      current: (key: string) => this.queue.current(key),
      commit: (write: Write) => this.commit(write),
    };
    const expiryDelayMs = Math.random() * EXPIRY_SPREAD_MS;
    this.#expiry = new ExpirySweep(this.environment, expiryTarget, options.clock, expiryDelayMs);
    this.#compactor = new Compactor(client, options.clock, options.compactionIntervalMs ?? 5 * 60_000);
    this.subscribe((changes) => {
      for (const change of changes) this.#receivedChanges.get(change.key)?.push(change);
      this.#expiry.onChanges(changes);
      this.#headReader.advance(this.revision);
    });
  }

  /**
   * Resolves once the replica has caught up with etcd. Throws DataDirectoryError if the directory of the replica cannot
   * be used, StorageUnavailable if etcd is unreachable or has data of another dialect.
   */
  static async open(options: EtcdStoreOptions): Promise<EtcdStore> {
    const file = openLockedDirectory(options, 'no fsync');
    const store = new EtcdStore(options, file, new EtcdClient(options));
    try {
      await store.#start();
      return store;
    } catch (error) {
      await store.close();
      throw toStoreError(error);
    }
  }

  async #start(): Promise<void> {
    let { clusterId, revision, lastWrite } = await this.#marker.claim();
    const source = readReplicaSource(this.environment);
    // The replica has a revision that its own cluster has not reached: etcd was rolled back while this server was down.
    if (source && isSourceInCluster(source, clusterId) && this.revision > revision) {
      await this.#marker.raiseOffset(this.revision);
      ({ clusterId, revision, lastWrite } = await this.#marker.claim());
    }
    const canResume =
      // Records of an older format lack the resource prefix, which the watch needs for their deletion.
      !this.environment.hasOlderFormat &&
      source === this.#marker.sourceId(clusterId) &&
      this.revision > 0 &&
      this.revision <= revision;
    const startRevision = canResume ? this.revision : await this.#fullSync();
    const appliedRevision = () => this.revision;
    this.#watch = new EtcdWatch(this.#client, this.#range, this.#marker, startRevision, {
      get revision() {
        return appliedRevision();
      },
      current: (key) => this.queue.current(key),
      apply: (change) => this.queue.applyReplicated(change),
      resync: (gap) => this.#resync(gap),
      onStatus: (error) => this.#onWatchStatus(error),
    });
    await this.#headReader.waitFor(lastWrite);
  }

  commit(write: Write): Promise<Change> {
    const { prefix, key } = write;
    try {
      if (this.#closed) throw new StorageUnavailable('the store is closed');
      assertValidKey(prefix, key);
    } catch (error) {
      return Promise.reject(error);
    }
    const previousTxn = this.#lastTxnByKey.get(key);
    const received: Change[] = this.#receivedChanges.get(key) ?? [];
    this.#receivedChanges.set(key, received);
    const txn = previousTxn ? previousTxn.then(() => this.#runTxn(write)) : this.#runTxn(write);
    const settled = txn.then(
      () => {},
      () => {},
    );
    this.#lastTxnByKey.set(key, settled);
    const committing = txn
      .then((outcome) => {
        // Deletions succeed on a full etcd as well.
        if (write.draft && outcome.succeeded) this.#outOfSpace = undefined;
        return this.#waitUntilVisible(write, outcome, received);
      })
      .catch((error: unknown) => {
        if (isExpectedFailure(error)) throw error;
        const storeError = toStoreError(error);
        if (storeError instanceof StorageFull) this.#outOfSpace = storeError.message;
        throw storeError;
      })
      .finally(() => {
        this.#pendingCommits.delete(committing);
        // A later write to the key still needs both entries.
        if (this.#lastTxnByKey.get(key) !== settled) return;
        this.#lastTxnByKey.delete(key);
        this.#receivedChanges.delete(key);
      });
    this.#pendingCommits.add(committing);
    return committing;
  }

  head(): Promise<Revision> {
    if (this.#closed) return Promise.reject(new StorageUnavailable('the store is closed'));
    return this.#headReader.latest();
  }

  override stats(): StoreStats {
    const stats = super.stats();
    return { ...stats, bytes: this.#compactor.bytes ?? stats.bytes, outOfSpace: this.#outOfSpace };
  }

  protected async finish(): Promise<void> {
    this.#closed = true;
    this.#expiry.stop();
    this.#compactor.stop();
    await Promise.allSettled(this.#pendingCommits);
    await this.#watch?.stop();
    this.#headReader.stop();
    this.#client.close();
  }

  async #runTxn(write: Write): Promise<TxnOutcome> {
    // Read before the call: all three may change while it is pending.
    const revisionAtStart = this.revision;
    const { value, offset } = this.#marker;
    const request = this.#toTxnRequest(write);
    const response = await this.#client.txn(request);
    const { header, succeeded, current, marker, conflictScope } = response;
    if (!succeeded) {
      if (!marker?.value.equals(value)) this.#throwWithResync(this.#marker.replacedError(marker));
      if (isFencedOff(request, response)) throw new FencedOff(`the fence ${write.fence?.name} was raised`);
      const object = current && decodeObject(write.key, current, offset);
      const scopeRevision = conflictScope && conflictScope.modRevision + offset;
      return { succeeded, revision: marker.modRevision + offset, current: object, scopeRevision };
    }
    const revision = header.revision + offset;
    if (revision <= revisionAtStart) {
      this.#watch?.forceResync(ROLLED_BACK);
      throw new StorageUnavailable(
        `${ROLLED_BACK}; the write was committed there, and everything is read again`,
      );
    }
    return { succeeded, revision };
  }

  #toTxnRequest({ prefix, key, expectedRevision, draft, conflictScope, fence }: Write): TxnRequest {
    // A deletion of an absent key must fail.
    const mustExist = !draft && (expectedRevision === undefined || expectedRevision === 0);
    // 0 stays 0: etcd compares it with the mod_revision of an absent key.
    const modRevision = expectedRevision && this.#toModRevision(expectedRevision);
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
      ...(fence && { fence: this.#toFenceRequest(fence) }),
    };
  }

  #toFenceRequest({ name, raisedAt }: Fence): NonNullable<TxnRequest['fence']> {
    const { key: markerKey, value } = this.#marker;
    const key = `${markerKey}.fence.${name}`;
    return raisedAt === 'now' ? { key, value } : { key, modRevision: this.#toModRevision(raisedAt) };
  }

  /** Revisions from before a restored backup are converted to 0, but must not match any key. */
  #toModRevision(revision: Revision): Revision {
    return this.#marker.toEtcdRevision(revision) || Number.MAX_SAFE_INTEGER;
  }

  /** Returns the change that the write made, once the replica shows it. Throws if the transaction failed. */
  async #waitUntilVisible(
    { prefix, key, draft, conflictScope }: Write,
    outcome: TxnOutcome,
    received: Change[],
  ): Promise<Change> {
    const { succeeded, revision } = outcome;
    await this.#headReader.waitFor(revision);
    if (!succeeded) {
      if (conflictScope && (outcome.scopeRevision ?? 0) > conflictScope.asOf)
        throw new TransactionConflict(
          `a concurrent write of ${conflictScope.name} conflicts with that of ${key}`,
        );
      throw new PreconditionFailed(key, outcome.current);
    }
    const change = received.find((each) => each.revision === revision);
    if (change) return change;
    // A full sync included the write, so the watch did not deliver its change. It may have been a creation: that is no
    // longer known, and callers of `commit` use only the object.
    if (!draft) throw new StorageUnavailable(`${key} was deleted, but its last state is no longer known`);
    return {
      revision,
      type: 'updated',
      prefix,
      key,
      object: spliceRevision(draft, key, revision),
      committedAtMs: Date.now(),
    };
  }

  /** Reads `lastWrite` linearizably. Forces a resync if etcd was rolled back. */
  async #readLastWrite(): Promise<Revision> {
    const revisionAtStart = this.revision;
    const { revision, lastWrite } = await this.#marker
      .read()
      .catch((error: unknown) => this.#throwWithResync(error));
    if (revision >= revisionAtStart) return lastWrite;
    this.#watch?.forceResync(ROLLED_BACK);
    throw new StorageUnavailable(
      `etcd is at revision ${revision}, but was at ${revisionAtStart}; everything is read again`,
    );
  }

  /** Throws the error. If it says that the data in etcd was replaced, first forces the watch to resync. */
  #throwWithResync(error: unknown): never {
    if (error instanceof DataReplaced) this.#watch?.forceResync(error.message);
    throw error;
  }

  #onWatchStatus(error: Error | undefined): void {
    const previousError = this.#watchError;
    this.#watchError = error;
    if (error && !previousError) this.#onWatchLost(error);
    else if (previousError && !error) this.#onWatchRestored();
  }

  /** Makes up for a gap of the watch. Returns the revision after which the watch resumes. */
  async #resync({ isCompacted }: WatchGap): Promise<Revision> {
    const revisionAtStart = this.revision;
    let position = await this.#marker.readAndAdopt();
    if (position.revision < revisionAtStart) {
      // etcd was rolled back.
      await this.#marker.raiseOffset(revisionAtStart);
      position = await this.#marker.readAndAdopt();
    }
    const { revision, lastWrite, isReplaced } = position;
    // If the replica has applied the last write of any Orch server, then all compacted revisions after it were writes
    // of other programs, and the watch can skip them.
    const hasMissedNothing = isCompacted && !isReplaced && lastWrite === this.revision;
    return hasMissedNothing ? revision : this.#fullSync();
  }

  /** Replaces the replica. Returns the revision after which the watch starts. */
  async #fullSync(): Promise<Revision> {
    let startRevision: Revision = 0;
    await this.queue.replace(async () => {
      const { revision } = await fullSync(this.#client, this.#range, this.#marker, this.environment);
      startRevision = revision;
    });
    this.notifyReset();
    this.#headReader.advance(this.revision);
    return startRevision;
  }
}

const isExpectedFailure = (error: unknown) =>
  error instanceof PreconditionFailed || error instanceof TransactionConflict || error instanceof FencedOff;

/** Whether the fence that the write names has been raised by another write. */
const isFencedOff = ({ fence }: TxnRequest, { fence: current }: TxnResponse) =>
  fence !== undefined && 'modRevision' in fence && current?.modRevision !== fence.modRevision;

/** Undefined for a value that Orch did not write. */
function decodeObject(
  key: string,
  { value, modRevision }: KeyValue,
  offset: number,
): StoredObject | undefined {
  const decoded = decodeValue(key, value);
  return decoded && spliceRevision(decoded.draft, key, modRevision + offset);
}

/** Converts an error of the etcd client to the error that `commit` or `head` rejects with; returns others as they are. */
function toStoreError(error: unknown): Error {
  if (!(error instanceof CallError)) return error instanceof Error ? error : new Error(String(error));
  const { code, message, hadNoEffect } = error;
  if (/request is too large|larger than max/.test(message)) return new ObjectTooLarge(message);
  if (message.includes('database space exceeded'))
    return new StorageFull(
      `etcd is full (${message}): defragment it or give it a larger --quota-backend-bytes, then run etcdctl alarm disarm`,
      { cause: error },
    );
  const isOutcomeUnknown =
    !hadNoEffect && (code === statusCodes.unavailable || code === statusCodes.deadlineExceeded);
  const outcome = isOutcomeUnknown ? '; whether a write was done is not known' : '';
  return new StorageUnavailable(`etcd: ${message}${outcome}`, { cause: error });
}
