/**
 * Compaction of etcd's history, which only needs to cover the time that a server may be down. Also reads the size of
 * etcd's database.
 *
 * Of all servers on the same etcd, kube-apiservers included, one compacts per interval: the one whose transaction on
 * the coordination key succeeds. It stores etcd's current revision there, and compacts up to the revision that was
 * stored one interval earlier.
 */
import { type Clock, every } from '../../base/clock.ts';
import type { Revision } from '../store.ts';
import type { EtcdClient } from './rpc/etcd-client.ts';

/**
 * The coordination key, the same as that of kube-apiservers: its version counts the intervals, its value is the next
 * revision to compact.
 */
const KEY = 'compact_rev_key';
const STATUS_INTERVAL_MS = 30_000;

export class Compactor {
  readonly #client: EtcdClient;
  readonly #stops: (() => void)[];
  /** The key's version when last read, and the next revision to compact. */
  #version = 0;
  #nextRevision: Revision = 0;
  #bytes: number | undefined;

  constructor(client: EtcdClient, clock: Clock, intervalMs: number) {
    this.#client = client;
    void this.#readStatus();
    this.#stops = [every(clock, STATUS_INTERVAL_MS, () => void this.#readStatus())];
    if (intervalMs > 0) this.#stops.push(every(clock, intervalMs, () => void this.#compact()));
  }

  /** Size of etcd's database, once known. */
  get bytes(): number | undefined {
    return this.#bytes;
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  async #readStatus(): Promise<void> {
    try {
      this.#bytes = (await this.#client.status()).bytes;
    } catch {
      // Keep the last known size.
    }
  }

  async #compact(): Promise<void> {
    try {
      const { header } = await this.#client.range({ key: KEY });
      const { succeeded, current } = await this.#client.txn({
        key: KEY,
        expect: { version: this.#version },
        value: Buffer.from(String(header.revision)),
      });
      if (!succeeded) {
        // Another server has compacted in this interval.
        this.#version = current?.version ?? 0;
        this.#nextRevision = Number(current?.value.toString()) || 0;
        return;
      }
      const dueRevision = this.#nextRevision;
      this.#version++;
      this.#nextRevision = header.revision;
      if (dueRevision > 0) await this.#client.compact(dueRevision);
    } catch {
      // etcd is unreachable, or has already compacted that revision. Retry in the next interval.
    }
  }
}
