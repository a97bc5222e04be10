/**
 * The marker: a key beside the objects in etcd that every write of an Orch server also puts.
 *
 * Its value describes the data (format, dialect, revision offset). Its mod_revision is the revision of the last write
 * by any Orch server, in an etcd that other programs write to as well. (A watch progress request would tell the same,
 * but in older etcd versions the response may overtake events.)
 *
 * Invariant: restoring a backup changes the value, and so does a server that finds etcd rolled back to an earlier
 * state. Every write has the known value as a precondition: a server that has missed the change cannot write into the
 * new state.
 *
 * Terms:
 * - etcd's revision, client revision: clients see etcd's revision plus the offset.
 * - known value: the value that this server last created or adopted.
 * - adopt: accept another value, after which everything must be read again.
 * - dialect: the set of API names (`events.orch.io` or `events.k8s.io`) that the objects use; a server serves one.
 */
import { revisionAfterRestore } from '../backup/restore-options.ts';
import { type Revision, StorageUnavailable } from '../store.ts';
import type { EtcdClient } from './rpc/etcd-client.ts';
import type { KeyValue } from './rpc/messages.ts';

/** Format version; incremented with every change of how objects are stored in etcd. */
const FORMAT = 1;

/** The value of the marker. */
export interface MarkerContent {
  readonly format: number;
  readonly dialect: string;
  /** Added to etcd's revisions, so that ours keep increasing when etcd's start over; 0 if absent. */
  readonly offset?: number;
  /** The id of a restore that is running or was aborted: the data must not be used. */
  readonly restoring?: string;
}

/** How far etcd is, and how far the data of Orch is in it. Both are client revisions. */
export interface EtcdPosition {
  readonly clusterId: string;
  /** The revision of etcd, from the response header: any program may have made that write. */
  readonly revision: Revision;
  /** The revision of the last write by any Orch server. */
  readonly lastWrite: Revision;
}

/** The data in etcd was replaced by other data: restored from a backup or rolled back. */
export class DataReplaced extends StorageUnavailable {}

/** Whether a source, as returned by `sourceId`, belongs to this etcd cluster. */
export const isSourceInCluster = (source: string, clusterId: string) => source.split('+')[0] === clusterId;

export const markerKey = (prefix: string) => `${prefix}.orch`;
export const encodeMarker = (content: MarkerContent) => Buffer.from(JSON.stringify(content));
export const newMarkerContent = (dialect: string): MarkerContent => ({ format: FORMAT, dialect });

export class Marker {
  readonly key: string;
  readonly #client: EtcdClient;
  readonly #prefix: string;
  readonly #dialect: string;
  #value: Buffer;
  #offset = 0;

  constructor(client: EtcdClient, prefix: string, dialect: string) {
    this.#client = client;
    this.#prefix = prefix;
    this.#dialect = dialect;
    this.key = markerKey(prefix);
    this.#value = encodeMarker(newMarkerContent(dialect));
  }

  /** The known value. */
  get value(): Buffer {
    return this.#value;
  }

  /** The offset in the known value. */
  get offset(): number {
    return this.#offset;
  }

  /** Converts etcd's revision to the one that clients see. */
  toClientRevision(etcdRevision: Revision): Revision {
    return etcdRevision + this.#offset;
  }

  /** Converts a client revision to etcd's; 0 for revisions from before a restore. */
  toEtcdRevision(clientRevision: Revision): Revision {
    return Math.max(0, clientRevision - this.#offset);
  }

  /** Identifies the data that a replica was read from; changes with every restore. */
  sourceId(clusterId: string): string {
    return this.#offset === 0 ? clusterId : `${clusterId}+${this.#offset}`;
  }

  /** Creates the marker, or adopts the existing one: servers of one dialect share it. */
  async claim(): Promise<EtcdPosition> {
    const { key, value } = this;
    const { header, succeeded, current } = await this.#client.txn({ key, expect: { modRevision: 0 }, value });
    if (!succeeded && current) this.#adopt(current);
    const isCreated = succeeded || !current;
    const lastWrite = isCreated ? header.revision : current.modRevision;
    return {
      clusterId: header.clusterId,
      revision: this.toClientRevision(header.revision),
      lastWrite: this.toClientRevision(lastWrite),
    };
  }

  /**
   * Reads the marker at `etcdRevision`, or linearizably at the latest. Rejects with DataReplaced if the value is not
   * the known one.
   */
  async read(etcdRevision?: Revision): Promise<EtcdPosition> {
    const { header, kv } = await this.#readKey(etcdRevision);
    return {
      clusterId: header.clusterId,
      revision: this.toClientRevision(header.revision),
      lastWrite: this.#lastWriteIfUnchanged(kv),
    };
  }

  /** Like `read`, but adopts another value, and says so in `isReplaced`: the caller must resync. */
  async readAndAdopt(): Promise<EtcdPosition & { readonly isReplaced: boolean }> {
    const { header, kv } = await this.#readKey();
    const isReplaced = !kv.value.equals(this.#value);
    if (isReplaced) this.#adopt(kv);
    const { clusterId, revision } = header;
    return {
      clusterId,
      revision: this.toClientRevision(revision),
      lastWrite: this.toClientRevision(kv.modRevision),
      isReplaced,
    };
  }

  /**
   * Raises the offset in etcd after etcd was rolled back: client revisions continue above `seen`, the highest one known
   * to this server, since revisions must not be reused. The first server to notice does it; for the others the
   * transaction fails. Callers then read the marker again.
   */
  async raiseOffset(seen: Revision): Promise<void> {
    const { key, value } = this;
    const { header, kv } = await this.#readKey();
    this.#lastWriteIfUnchanged(kv);
    if (this.toClientRevision(header.revision) >= seen) return;
    const raised = { ...decodeMarker(key, value), offset: revisionAfterRestore(seen) - header.revision };
    await this.#client.txn({ key, expect: { value }, value: encodeMarker(raised) });
  }

  /** The error for a marker that is absent or whose value differs from the known one. */
  replacedError(kv: KeyValue | undefined): DataReplaced {
    return new DataReplaced(
      kv
        ? `etcd: ${this.#prefix} was restored to another state; everything is read again`
        : this.#missingMessage(),
    );
  }

  /** Returns `lastWrite`. Throws DataReplaced if the value is not the known one. */
  #lastWriteIfUnchanged(kv: KeyValue): Revision {
    if (!kv.value.equals(this.#value)) throw this.replacedError(kv);
    return this.toClientRevision(kv.modRevision);
  }

  async #readKey(revision?: Revision) {
    const { key } = this;
    const { header, kvs } = await this.#client.range(revision === undefined ? { key } : { key, revision });
    const [kv] = kvs;
    if (!kv) throw new StorageUnavailable(this.#missingMessage());
    return { header, kv };
  }

  #missingMessage(): string {
    return `etcd: ${this.key} was deleted, and with it the data under ${this.#prefix}`;
  }

  /** Makes the value the known one. Throws if this server cannot use the data that it describes. */
  #adopt({ value }: KeyValue): void {
    const { format, dialect, offset = 0, restoring } = decodeMarker(this.key, value);
    if (restoring !== undefined) {
      throw new StorageUnavailable(
        `etcd: a backup is being restored to ${this.#prefix}; if the restore was interrupted, run it again with --force`,
      );
    }
    if (format !== FORMAT) {
      throw new StorageUnavailable(
        `${this.key} in etcd has format ${format}, this release supports ${FORMAT}; ` +
          'run the release that wrote it, or choose another --etcd-prefix',
      );
    }
    if (dialect !== this.#dialect) {
      throw new StorageUnavailable(
        `etcd contains data of dialect ${dialect} under ${this.#prefix}, not ${this.#dialect}; ` +
          `start with --dialect ${dialect}, or choose another --etcd-prefix`,
      );
    }
    this.#value = value;
    this.#offset = offset;
  }
}

export function decodeMarker(key: string, value: Buffer): MarkerContent {
  let parsed: unknown;
  try {
    parsed = JSON.parse(value.toString());
  } catch {
    // Not JSON: reported below.
  }
  if (!isMarkerContent(parsed))
    throw new StorageUnavailable(`${key} in etcd was not written by Orch; choose another --etcd-prefix`);
  return parsed;
}

function isMarkerContent(parsed: unknown): parsed is MarkerContent {
  if (typeof parsed !== 'object' || parsed === null) return false;
  const { format, dialect, offset = 0, restoring } = parsed as Record<keyof MarkerContent, unknown>;
  return (
    typeof format === 'number' &&
    typeof dialect === 'string' &&
    Number.isSafeInteger(offset) &&
    ['string', 'undefined'].includes(typeof restoring)
  );
}
