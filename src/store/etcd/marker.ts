/**
 * A key beside our objects, written along with each of them. What it says is what they are; by its revision it tells
 * which write was the last of ours, in an etcd to which others write too. (To ask a watch how far it has come would tell
 * the same, but the answer of older etcds may overtake changes that they have yet to tell.)
 */
import { type Revision, StorageUnavailable } from '../store.ts';
import type { EtcdClient } from './rpc/etcd-client.ts';

/** Grows with every change of how objects lie in etcd. */
const FORMAT = 1;

/** How far etcd has come, and how far in what is ours. */
export interface Standing {
  readonly clusterId: string;
  readonly revision: Revision;
  readonly ours: Revision;
}

export class Marker {
  readonly key: string;
  readonly value: Buffer;
  readonly #client: EtcdClient;
  readonly #prefix: string;
  readonly #dialect: string;

  constructor(client: EtcdClient, prefix: string, dialect: string) {
    this.#client = client;
    this.#prefix = prefix;
    this.#dialect = dialect;
    this.key = `${prefix}.orch`;
    this.value = Buffer.from(JSON.stringify({ format: FORMAT, dialect }));
  }

  /** Makes the prefix ours, unless it is somebody else's: replicas of one dialect share it. */
  async claim(): Promise<Standing> {
    const { key, value } = this;
    const { header, succeeded, current } = await this.#client.txn({ key, expect: { modRevision: 0 }, value });
    if (succeeded || !current) return { ...header, ours: header.revision };
    this.#refuseOther(JSON.parse(current.value.toString()));
    return { ...header, ours: current.modRevision };
  }

  /** As of `revision`, or now by agreement of etcd's members. */
  async read(revision?: Revision): Promise<Standing> {
    const { key } = this;
    const { header, kvs } = await this.#client.range(revision === undefined ? { key } : { key, revision });
    const [found] = kvs;
    if (!found)
      throw new StorageUnavailable(`etcd: ${key} is gone, and with it what was kept under ${this.#prefix}`);
    return { ...header, ours: found.modRevision };
  }

  #refuseOther({ format, dialect }: { readonly format?: unknown; readonly dialect?: unknown }): void {
    if (format !== FORMAT) {
      throw new StorageUnavailable(
        `${this.key} in etcd is of format ${format}, this release reads ${FORMAT}; ` +
          'run the release that wrote it, or choose another --etcd-prefix',
      );
    }
    if (dialect !== this.#dialect) {
      throw new StorageUnavailable(
        `etcd holds data of the dialect ${dialect} under ${this.#prefix}, not ${this.#dialect}; ` +
          `start with --dialect ${dialect}, or choose another --etcd-prefix`,
      );
    }
  }
}
