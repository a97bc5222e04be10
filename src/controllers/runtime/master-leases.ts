// Leases of API servers on shared storage, as kube-apiserver's lease endpoint reconciler keeps them.
import type { Clock } from '../../base/clock.ts';
import { PreconditionFailed, type Store } from '../../store/store.ts';

/** TTL of a lease: a server that does not renew it is considered down. */
const ttlMs = 30_000;
export const renewIntervalMs = 10_000;

const prefix = 'masterleases';

/**
 * Each server stores its address under `masterleases/` with a TTL, where kube-apiserver keeps its own. The API does
 * not serve these objects.
 */
export class MasterLeases {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #ownAddress: string;

  constructor(store: Store, clock: Clock, ownAddress: string) {
    this.#store = store;
    this.#clock = clock;
    this.#ownAddress = ownAddress;
  }

  /** Writes the lease as an Endpoints object with this server's address. */
  async renew(): Promise<void> {
    const typeFields = '{"kind":"Endpoints","apiVersion":"v1",';
    const quotedAddress = JSON.stringify(this.#ownAddress);
    const beforeRevision = `${typeFields}"metadata":{"name":${quotedAddress},"resourceVersion":"`;
    const json = `${beforeRevision}"},"subsets":[{"addresses":[{"ip":${quotedAddress}}]}]}`;
    await this.#store.commit({
      prefix,
      key: this.#key,
      draft: {
        json: Buffer.from(json),
        revisionOffset: beforeRevision.length,
        listItemOffset: typeFields.length,
        labels: '',
        selectableFields: '',
        schemaFingerprint: '',
        expiresAtMs: this.#clock.now() + ttlMs,
      },
    });
  }

  async release(): Promise<void> {
    try {
      await this.#store.commit({ prefix, key: this.#key, draft: null });
    } catch (error) {
      // The lease has expired, or was never written.
      if (!(error instanceof PreconditionFailed)) throw error;
    }
  }

  /** The addresses of all live servers. */
  addresses(): string[] {
    const view = this.#store.pin();
    try {
      return Array.from(view.keys(`${prefix}/`), (key) => key.slice(prefix.length + 1));
    } finally {
      view.release();
    }
  }

  get #key(): string {
    return `${prefix}/${this.#ownAddress}`;
  }
}
