/**
 * Keeps etcd's own history short: it only has to reach back as far as a replica may have been away. Of all replicas, and
 * of kube-apiservers on the same etcd, one does it each time: who is first to write down how far the next time goes.
 */
import { type Clock, every } from '../../clock.ts';
import type { Revision } from '../store.ts';
import type { EtcdClient } from './rpc/etcd-client.ts';

/** The key by which kube-apiservers agree on it too: its version counts the times, its value is how far to go next. */
const KEY = 'compact_rev_key';
const STATUS_MS = 30_000;

export class Compactor {
  readonly #client: EtcdClient;
  readonly #stops: (() => void)[];
  /** How often it was written when we last looked, and up to where the next time goes. */
  #times = 0;
  #next: Revision = 0;
  #bytes: number | undefined;

  constructor(client: EtcdClient, clock: Clock, intervalMs: number) {
    this.#client = client;
    void this.#look();
    this.#stops = [every(clock, STATUS_MS, () => void this.#look())];
    if (intervalMs > 0) this.#stops.push(every(clock, intervalMs, () => void this.#compact()));
  }

  /** How large etcd's file is, once that is known. */
  get bytes(): number | undefined {
    return this.#bytes;
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  async #look(): Promise<void> {
    try {
      this.#bytes = (await this.#client.status()).bytes;
    } catch {
      // What was known last will do.
    }
  }

  async #compact(): Promise<void> {
    try {
      const { header } = await this.#client.range({ key: KEY });
      const { succeeded, current } = await this.#client.txn({
        key: KEY,
        expect: { version: this.#times },
        value: Buffer.from(String(header.revision)),
      });
      if (!succeeded) {
        // Somebody else has done it; next time it may be us.
        this.#times = current?.version ?? 0;
        this.#next = Number(current?.value.toString()) || 0;
        return;
      }
      const due = this.#next;
      this.#times++;
      this.#next = header.revision;
      if (due > 0) await this.#client.compact(due);
    } catch {
      // etcd is away, or has forgotten that much already. There is a next time.
    }
  }
}
