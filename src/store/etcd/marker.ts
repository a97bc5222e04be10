/**
 * The marker: a key next to our objects in etcd that is written in every transaction.
 *
 * Its value describes the data (format, dialect, revision offset). Its mod_revision is the revision of our last
 * write, in an etcd that other programs write to as well. (A watch progress request would do the same, but in older
 * etcd versions the reply may overtake events.)
 *
 * Restoring a backup changes the value, and so does a server that finds etcd rolled back to an earlier state. Every
 * write has the known value as a precondition: a server that has missed the change cannot write into the new state.
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
  /** A backup is being restored, or its restore was aborted: the data must not be used. */
  readonly restoring?: string;
}

/** The position of etcd, and of our own data in it. */
export interface EtcdPosition {
  readonly clusterId: string;
  readonly revision: Revision;
  readonly lastWrite: Revision;
}

/** The data in etcd is not what it was: restored or rolled back. */
export class DataReplaced extends StorageUnavailable {}

/** Whether a source, as returned by `sourceIn`, belongs to this etcd cluster. */
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

  /** The last known value. */
  get value(): Buffer {
    return this.#value;
  }

  /** The last known offset from etcd's revisions to ours. */
  get offset(): number {
    return this.#offset;
  }

  /** Converts etcd's revision to the one that clients see. */
  toClientRevision(etcdRevision: Revision): Revision {
    return etcdRevision + this.#offset;
  }

  /** Converts a client's revision to etcd's; 0 for revisions from before a restore. */
  toEtcdRevision(clientRevision: Revision): Revision {
    return Math.max(0, clientRevision - this.#offset);
  }

  /** Identifies the data in an etcd; changes with every restore. */
  sourceId(clusterId: string): string {
    return this.#offset === 0 ? clusterId : `${clusterId}+${this.#offset}`;
  }

  /** Creates the marker unless it exists; replicas of one dialect share it. */
  async claim(): Promise<EtcdPosition> {
    const { key, value } = this;
    const { header, succeeded, current } = await this.#client.txn({ key, expect: { modRevision: 0 }, value });
    if (!succeeded && current) this.#adopt(current);
    const lastWrite = succeeded || !current ? header.revision : current.modRevision;
    return {
      clusterId: header.clusterId,
      revision: this.toClientRevision(header.revision),
      lastWrite: this.toClientRevision(lastWrite),
    };
  }

  /**
   * Reads the marker at etcd's `revision`, or linearizably at the latest. Rejects with Replaced if the value has
   * changed.
   */
  async read(revision?: Revision): Promise<EtcdPosition> {
    const { header, found } = await this.#find(revision);
    return {
      clusterId: header.clusterId,
      revision: this.toClientRevision(header.revision),
      lastWrite: this.#requireUnchanged(found),
    };
  }

  /** Like `read`, but adopts a changed value: for callers that then resync. */
  async readAndAdopt(): Promise<EtcdPosition & { readonly isOther: boolean }> {
    const { header, found } = await this.#find();
    const isOther = !found.value.equals(this.#value);
    if (isOther) this.#adopt(found);
    const { clusterId, revision } = header;
    return {
      clusterId,
      revision: this.toClientRevision(revision),
      lastWrite: this.toClientRevision(found.modRevision),
      isOther,
    };
  }

  /**
   * Raises the offset so that our revisions continue above `seen` after etcd was rolled back to before it, since
   * revisions must not be reused. Takes effect once, by whichever server notices first.
   */
  async raiseOffset(seen: Revision): Promise<void> {
    const { key, value } = this;
    const { header, found } = await this.#find();
    this.#requireUnchanged(found);
    if (this.toClientRevision(header.revision) >= seen) return;
    const raised = { ...decodeMarker(key, value), offset: revisionAfterRestore(seen) - header.revision };
    await this.#client.txn({ key, expect: { value }, value: encodeMarker(raised) });
  }

  /** The error for a marker whose value differs from the known one. */
  replacedError(found: KeyValue | undefined): DataReplaced {
    return new DataReplaced(
      found
        ? `etcd: ${this.#prefix} was restored to another state; everything is read again`
        : this.#missingMessage(),
    );
  }

  #requireUnchanged(found: KeyValue): Revision {
    if (!found.value.equals(this.#value)) throw this.replacedError(found);
    return this.toClientRevision(found.modRevision);
  }

  async #find(revision?: Revision) {
    const { key } = this;
    const { header, kvs } = await this.#client.range(revision === undefined ? { key } : { key, revision });
    const [found] = kvs;
    if (!found) throw new StorageUnavailable(this.#missingMessage());
    return { header, found };
  }

  #missingMessage(): string {
    return `etcd: ${this.key} was deleted, and with it the data under ${this.#prefix}`;
  }

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
  let read: unknown;
  try {
    read = JSON.parse(value.toString());
  } catch {
    // Not written by Orch.
  }
  if (!isMarkerContent(read))
    throw new StorageUnavailable(`${key} in etcd was not written by Orch; choose another --etcd-prefix`);
  return read;
}

function isMarkerContent(read: unknown): read is MarkerContent {
  if (typeof read !== 'object' || read === null) return false;
  const { format, dialect, offset = 0, restoring } = read as Record<keyof MarkerContent, unknown>;
  return (
    typeof format === 'number' &&
    typeof dialect === 'string' &&
    Number.isSafeInteger(offset) &&
    ['string', 'undefined'].includes(typeof restoring)
  );
}
