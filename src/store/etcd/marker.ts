/**
 * A key beside our objects, written along with each of them. What it says is what they are; by its revision it tells
 * which write was the last of ours, in an etcd to which others write too. (To ask a watch how far it has come would tell
 * the same, but the answer of older etcds may overtake changes that they have yet to tell.)
 *
 * A backup that is restored changes what it says, and so does who finds etcd put back to an earlier state. Every write expects it to be as the writer knows
 * it: who has not heard of that cannot write into what is another state.
 */
import { farBehind } from '../backup/restoring.ts';
import { type Revision, StorageUnavailable } from '../store.ts';
import type { EtcdClient } from './rpc/etcd-client.ts';
import type { KeyValue } from './rpc/messages.ts';

/** Grows with every change of how objects lie in etcd. */
const FORMAT = 1;

/** What it says. */
export interface Said {
  readonly format: number;
  readonly dialect: string;
  /** What is added to etcd's revisions to make ours, so that these go on where etcd's begin anew; 0 if left out. */
  readonly offset?: number;
  /** A backup is being restored, or that was not finished: what is there is not to be used. */
  readonly restoring?: string;
}

/** How far etcd has come, and how far in what is ours. */
export interface Standing {
  readonly clusterId: string;
  readonly revision: Revision;
  readonly ours: Revision;
}

/** What is in etcd is not what was there before. */
export class Replaced extends StorageUnavailable {}

/** Whether a source, as a marker names it, is in this etcd. */
export const isIn = (source: string, clusterId: string) => source.split('+')[0] === clusterId;

export const markerKey = (prefix: string) => `${prefix}.orch`;
export const markerValue = (said: Said) => Buffer.from(JSON.stringify(said));
export const newSaid = (dialect: string): Said => ({ format: FORMAT, dialect });

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
    this.#value = markerValue(newSaid(dialect));
  }

  /** What it says as far as we know. */
  get value(): Buffer {
    return this.#value;
  }

  /** What is added to etcd's revisions to make ours, as far as we know. */
  get offset(): number {
    return this.#offset;
  }

  /** The revision that clients know for one of etcd's. */
  ours(etcds: Revision): Revision {
    return etcds + this.#offset;
  }

  /** Etcd's revision for one that clients know: 0 for all from before a restoring. */
  etcds(ours: Revision): Revision {
    return Math.max(0, ours - this.#offset);
  }

  /** Names what is in an etcd: it is another after a restoring. */
  sourceIn(clusterId: string): string {
    return this.#offset === 0 ? clusterId : `${clusterId}+${this.#offset}`;
  }

  /** Makes the prefix ours, unless it is somebody else's: replicas of one dialect share it. */
  async claim(): Promise<Standing> {
    const { key, value } = this;
    const { header, succeeded, current } = await this.#client.txn({ key, expect: { modRevision: 0 }, value });
    if (!succeeded && current) this.#learn(current);
    const ours = succeeded || !current ? header.revision : current.modRevision;
    return { clusterId: header.clusterId, revision: this.ours(header.revision), ours: this.ours(ours) };
  }

  /** As of etcd's `revision`, or now by agreement of etcd's members. Rejects with Replaced if it says something new. */
  async read(revision?: Revision): Promise<Standing> {
    const { header, found } = await this.#find(revision);
    return { clusterId: header.clusterId, revision: this.ours(header.revision), ours: this.#known(found) };
  }

  /** As `read`, but for who reads all anew if it says something new. */
  async readAnew(): Promise<Standing & { readonly isOther: boolean }> {
    const { header, found } = await this.#find();
    const isOther = !found.value.equals(this.#value);
    if (isOther) this.#learn(found);
    const { clusterId, revision } = header;
    return { clusterId, revision: this.ours(revision), ours: this.ours(found.modRevision), isOther };
  }

  /**
   * Has our revisions go on behind `seen` in an etcd that was put back to before it, lest they be given out twice. It is
   * done once, whoever is the first to notice.
   */
  async raise(seen: Revision): Promise<void> {
    const { key, value } = this;
    const { header, found } = await this.#find();
    this.#known(found);
    if (this.ours(header.revision) >= seen) return;
    const raised = { ...readSaid(key, value), offset: farBehind(seen) - header.revision };
    await this.#client.txn({ key, expect: { value }, value: markerValue(raised) });
  }

  /** That the marker that was found does not say what we know. */
  replaced(found: KeyValue | undefined): Replaced {
    return new Replaced(
      found ? `etcd: ${this.#prefix} was restored to another state; everything is read again` : this.#gone(),
    );
  }

  #known(found: KeyValue): Revision {
    if (!found.value.equals(this.#value)) throw this.replaced(found);
    return this.ours(found.modRevision);
  }

  async #find(revision?: Revision) {
    const { key } = this;
    const { header, kvs } = await this.#client.range(revision === undefined ? { key } : { key, revision });
    const [found] = kvs;
    if (!found) throw new StorageUnavailable(this.#gone());
    return { header, found };
  }

  #gone(): string {
    return `etcd: ${this.key} was deleted, and with it the data under ${this.#prefix}`;
  }

  #learn({ value }: KeyValue): void {
    const { format, dialect, offset = 0, restoring } = readSaid(this.key, value);
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

export function readSaid(key: string, value: Buffer): Said {
  let read: unknown;
  try {
    read = JSON.parse(value.toString());
  } catch {
    // Whoever wrote it, it was not us.
  }
  if (!isSaid(read))
    throw new StorageUnavailable(`${key} in etcd was not written by Orch; choose another --etcd-prefix`);
  return read;
}

function isSaid(read: unknown): read is Said {
  if (typeof read !== 'object' || read === null) return false;
  const { format, dialect, offset = 0, restoring } = read as Record<keyof Said, unknown>;
  return (
    typeof format === 'number' &&
    typeof dialect === 'string' &&
    Number.isSafeInteger(offset) &&
    ['string', 'undefined'].includes(typeof restoring)
  );
}
