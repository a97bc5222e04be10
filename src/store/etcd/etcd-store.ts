/**
 * The store of many servers: etcd orders the writes of all, and each server reads from a copy of its own, a file that
 * follows one watch. The copy outlives the process, so that a server that comes back goes on where it was.
 *
 * Invariants:
 * - A revision is etcd's, counted on from what came before a restored backup. Nothing is given one here.
 * - A write resolves, or is refused for what stands there, once the copy shows it: who writes reads it.
 * - The newest is asked of etcd, by a read that a majority of its members agree on.
 */
import { checkKey } from '../keys.ts';
import { ExpirySweep } from '../lmdb/expiry-sweep.ts';
import { LmdbBacked, type LmdbFileOptions, type OwnedFile, openFile } from '../lmdb/lmdb-backed.ts';
import { splice } from '../splice.ts';
import {
  type Change,
  Overtaken,
  PreconditionFailed,
  type Revision,
  StorageUnavailable,
  type StoredObject,
  type StoreStats,
  TooLarge,
  type Write,
} from '../store.ts';
import { Compactor } from './compactor.ts';
import { copyAll, type Range, rangeOf, sourceOf } from './full-read.ts';
import { Heads } from './heads.ts';
import { isIn, Marker, Replaced } from './marker.ts';
import { CallError, statusCodes } from './rpc/connection.ts';
import { EtcdClient, type EtcdClientOptions } from './rpc/etcd-client.ts';
import type { KeyValue, TxnRequest } from './rpc/messages.ts';
import { type Lost, Tail } from './tail.ts';
import { readValue, writeValue } from './value.ts';

export interface EtcdStoreOptions extends LmdbFileOptions, EtcdClientOptions {
  /** What our keys begin with, without a slash at its end: `/registry`. */
  readonly prefix: string;
  /** How often etcd is told to forget the history before last time; 0 is never. */
  readonly compactionMs?: number;
  /** Hears when etcd is no longer followed, and when it is again. */
  readonly onTrouble?: (error: Error) => void;
  readonly onReturn?: () => void;
}

/** What has become of a write, in our revisions. */
type Answered =
  | { readonly succeeded: true; readonly revision: Revision }
  | {
      readonly succeeded: false;
      /** That of the last write of ours. */
      readonly revision: Revision;
      /** What stands there. */
      readonly current: StoredObject | undefined;
      /** That of the last write of the same series. */
      readonly series: Revision | undefined;
    };

const PUT_BACK = 'etcd was restored to an earlier state';

/** Later than its time by up to this an object is deleted, by the replica that comes first. */
const EXPIRY_SPREAD_MS = 500;

export class EtcdStore extends LmdbBacked {
  readonly mayLag = true;
  readonly #client: EtcdClient;
  readonly #range: Range;
  readonly #marker: Marker;
  readonly #timeoutMs: number;
  readonly #heads: Heads;
  readonly #expiry: ExpirySweep;
  readonly #compactor: Compactor;
  /** By key the last write under way: the next to the same key goes after it. */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #underWay = new Set<Promise<unknown>>();
  /** The changes heard of keys that are being written here: a write may be heard of before it is answered. */
  readonly #heard = new Map<string, Change[]>();
  readonly #onTrouble: (error: Error) => void;
  readonly #onReturn: () => void;
  #tail: Tail | undefined;
  #trouble: Error | undefined;
  #closed = false;

  private constructor(options: EtcdStoreOptions, file: OwnedFile, client: EtcdClient) {
    super(options, file);
    this.#client = client;
    this.#onTrouble = options.onTrouble ?? (() => {});
    this.#onReturn = options.onReturn ?? (() => {});
    this.#timeoutMs = options.timeoutMs ?? 5_000;
    this.#range = rangeOf(options.prefix);
    this.#marker = new Marker(client, options.prefix, options.dialect);
    this.#heads = new Heads({
      ask: () =>
        this.#askHead().catch((error: unknown) => {
          throw unavailable(error);
        }),
      reached: () => this.revision,
      timeoutMs: this.#timeoutMs,
      trouble: () => this.#trouble,
      lags: () => this.#tail?.lags(),
    });
    const deleting = {
      current: (key: string) => this.queue.current(key),
      commit: (write: Write) => this.commit(write),
    };
    const spread = Math.random() * EXPIRY_SPREAD_MS;
    this.#expiry = new ExpirySweep(this.environment, deleting, options.clock, spread);
    this.#compactor = new Compactor(client, options.clock, options.compactionMs ?? 5 * 60_000);
    this.subscribe((changes) => {
      for (const change of changes) this.#heard.get(change.key)?.push(change);
      this.#expiry.notice(changes);
      this.#heads.advance(this.revision);
    });
  }

  /**
   * Resolves once the copy is as new as etcd is now. Throws DataDirectoryError if the directory of the copy cannot be
   * used, StorageUnavailable if etcd cannot be reached or holds data of another dialect.
   */
  static async open(options: EtcdStoreOptions): Promise<EtcdStore> {
    const file = openFile(options, 'copy');
    const store = new EtcdStore(options, file, new EtcdClient(options));
    try {
      await store.#begin();
      return store;
    } catch (error) {
      await store.close();
      throw unavailable(error);
    }
  }

  async #begin(): Promise<void> {
    let { clusterId, revision, ours } = await this.#marker.claim();
    const source = sourceOf(this.environment);
    if (source && isIn(source, clusterId) && this.revision > revision) {
      await this.#marker.raise(this.revision);
      ({ clusterId, revision, ours } = await this.#marker.claim());
    }
    const isCopy =
      !this.environment.isOlder &&
      source === this.#marker.sourceIn(clusterId) &&
      this.revision > 0 &&
      this.revision <= revision;
    const told = isCopy ? this.revision : await this.#copyAll();
    const current = () => this.revision;
    this.#tail = new Tail(this.#client, this.#range, this.#marker, told, {
      get revision() {
        return current();
      },
      current: (key) => this.queue.current(key),
      take: (change) => this.queue.follow(change),
      beginAnew: (lost) => this.#beginAnew(lost),
      follows: (trouble) => this.#hearTrouble(trouble),
    });
    await this.#heads.reach(ours);
  }

  commit(write: Write): Promise<Change> {
    const { prefix, key } = write;
    try {
      if (this.#closed) throw new StorageUnavailable('the store is closed');
      checkKey(prefix, key);
    } catch (error) {
      return Promise.reject(error);
    }
    const before = this.#last.get(key);
    const heard: Change[] = this.#heard.get(key) ?? [];
    this.#heard.set(key, heard);
    const answering = before ? before.then(() => this.#txn(write)) : this.#txn(write);
    const answered = answering.then(
      () => {},
      () => {},
    );
    this.#last.set(key, answered);
    const committing = answering
      .then((response) => this.#visible(write, response, heard))
      .catch((error: unknown) => {
        throw error instanceof PreconditionFailed || error instanceof Overtaken ? error : unavailable(error);
      })
      .finally(() => {
        this.#underWay.delete(committing);
        if (this.#last.get(key) !== answered) return;
        this.#last.delete(key);
        this.#heard.delete(key);
      });
    this.#underWay.add(committing);
    return committing;
  }

  head(): Promise<Revision> {
    if (this.#closed) return Promise.reject(new StorageUnavailable('the store is closed'));
    return this.#heads.newest();
  }

  override stats(): StoreStats {
    const stats = super.stats();
    return { ...stats, bytes: this.#compactor.bytes ?? stats.bytes };
  }

  protected async finish(): Promise<void> {
    this.#closed = true;
    this.#expiry.stop();
    this.#compactor.stop();
    await Promise.allSettled(this.#underWay);
    await this.#tail?.stop();
    this.#heads.stop();
    this.#client.close();
  }

  async #txn(write: Write): Promise<Answered> {
    const before = this.revision;
    // What they are when the answer comes may be something else.
    const { value, offset } = this.#marker;
    const { header, succeeded, current, beside, series } = await this.#client.txn(this.#requestOf(write));
    if (!succeeded) {
      if (!beside?.value.equals(value)) this.#noticeReplaced(this.#marker.replaced(beside));
      const object = current && objectOf(write.key, current, offset);
      const taken = series && series.modRevision + offset;
      return { succeeded, revision: beside.modRevision + offset, current: object, series: taken };
    }
    const revision = header.revision + offset;
    if (revision <= before) {
      this.#tail?.loseThread(PUT_BACK);
      throw new StorageUnavailable(
        `${PUT_BACK}; the write was committed there, and everything is read again`,
      );
    }
    return { succeeded, revision };
  }

  #requestOf({ prefix, key, expect, draft, series }: Write): TxnRequest {
    // To delete what is not there is to fail.
    const mustExist = !draft && (expect === undefined || expect === 0);
    // A state from before a backup was restored is none that could be there.
    const modRevision = expect && (this.#marker.etcds(expect) || Number.MAX_SAFE_INTEGER);
    const expected = modRevision === undefined ? undefined : { modRevision };
    const value = draft && writeValue(prefix, draft);
    const beside = this.#marker;
    return {
      key: this.#range.key + key,
      expect: mustExist ? 'exists' : expected,
      value,
      beside,
      ...(series && {
        series: {
          key: `${beside.key}.${series.name}`,
          asOf: this.#marker.etcds(series.asOf),
          value: beside.value,
        },
      }),
    };
  }

  /** The change that the write has made, once it can be read. */
  async #visible(
    { prefix, key, draft, series }: Write,
    answered: Answered,
    heard: Change[],
  ): Promise<Change> {
    const { succeeded, revision } = answered;
    await this.#heads.reach(revision);
    if (!succeeded) {
      if (series && (answered.series ?? 0) > series.asOf)
        throw new Overtaken(`a concurrent write of ${series.name} conflicts with that of ${key}`);
      throw new PreconditionFailed(key, answered.current);
    }
    const change = heard.find((each) => each.revision === revision);
    if (change) return change;
    // The copy was made anew meanwhile, and does not tell how it came about.
    if (!draft) throw new StorageUnavailable(`${key} was deleted, but its last state is no longer known`);
    return {
      revision,
      type: 'updated',
      prefix,
      key,
      object: splice(draft, key, revision),
      at: Date.now(),
    };
  }

  async #askHead(): Promise<Revision> {
    const before = this.revision;
    const { revision, ours } = await this.#marker
      .read()
      .catch((error: unknown) => this.#noticeReplaced(error));
    if (revision >= before) return ours;
    this.#tail?.loseThread(PUT_BACK);
    throw new StorageUnavailable(
      `etcd is at revision ${revision}, but was at ${before}; everything is read again`,
    );
  }

  #noticeReplaced(error: unknown): never {
    if (error instanceof Replaced) this.#tail?.loseThread(error.message);
    throw error;
  }

  #hearTrouble(trouble: Error | undefined): void {
    const before = this.#trouble;
    this.#trouble = trouble;
    if (trouble && !before) this.#onTrouble(trouble);
    else if (before && !trouble) this.#onReturn();
  }

  async #beginAnew({ isCompacted }: Lost): Promise<Revision> {
    const before = this.revision;
    let standing = await this.#marker.readAnew();
    if (standing.revision < before) {
      await this.#marker.raise(before);
      standing = await this.#marker.readAnew();
    }
    const { revision, ours, isOther } = standing;
    return isCompacted && !isOther && ours === this.revision ? revision : this.#copyAll();
  }

  async #copyAll(): Promise<Revision> {
    let told: Revision = 0;
    await this.queue.replace(async () => {
      const { revision } = await copyAll(this.#client, this.#range, this.#marker, this.environment);
      told = revision;
    });
    this.tellReset();
    this.#heads.advance(this.revision);
    return told;
  }
}

function objectOf(key: string, { value, modRevision }: KeyValue, offset: number): StoredObject | undefined {
  const read = readValue(key, value);
  return read && splice(read.draft, key, modRevision + offset);
}

function unavailable(error: unknown): Error {
  if (!(error instanceof CallError)) return error instanceof Error ? error : new Error(String(error));
  const { code, message, isUndone } = error;
  if (/request is too large|larger than max/.test(message)) return new TooLarge(message);
  if (message.includes('database space exceeded'))
    return new StorageUnavailable(
      `etcd is full (${message}): defragment it or give it a larger --quota-backend-bytes, then run etcdctl alarm disarm`,
      { cause: error },
    );
  const isUnknown = !isUndone && (code === statusCodes.unavailable || code === statusCodes.deadlineExceeded);
  const outcome = isUnknown ? '; whether a write was done is not known' : '';
  return new StorageUnavailable(`etcd: ${message}${outcome}`, { cause: error });
}
