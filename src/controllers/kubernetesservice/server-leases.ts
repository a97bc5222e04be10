import type { Clock } from '../../base/clock.ts';
import { PreconditionFailed, type Store } from '../../store/store.ts';

/** A server that has not been heard of for so long is taken to be gone. */
const lasts = 30_000;
/** How often a server says that it is up. */
export const renewEvery = 10_000;

const prefix = 'masterleases';

/**
 * Which of the servers that share a store are up, by the addresses they are reached at. Each says so again and again, in an
 * object that goes away by itself; they lie where kube-apiserver has those of its own, and are served to nobody.
 */
export class ServerLeases {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #own: string;

  constructor(store: Store, clock: Clock, own: string) {
    this.#store = store;
    this.#clock = clock;
    this.#own = own;
  }

  /** This server is up. */
  async renew(): Promise<void> {
    const before = '{"kind":"Endpoints","apiVersion":"v1",';
    const name = JSON.stringify(this.#own);
    const upToRevision = `${before}"metadata":{"name":${name},"resourceVersion":"`;
    const json = `${upToRevision}"},"subsets":[{"addresses":[{"ip":${name}}]}]}`;
    await this.#store.commit({
      prefix,
      key: this.#key,
      draft: {
        json: Buffer.from(json),
        revisionAt: upToRevision.length,
        itemAt: before.length,
        labels: '',
        fields: '',
        mark: '',
        expiresAt: this.#clock.now() + lasts,
      },
    });
  }

  /** This server is about to be down. */
  async end(): Promise<void> {
    try {
      await this.#store.commit({ prefix, key: this.#key, draft: null });
    } catch (error) {
      if (!(error instanceof PreconditionFailed)) throw error;
    }
  }

  /** The addresses of those that are up. */
  addresses(): string[] {
    const view = this.#store.pin();
    try {
      return Array.from(view.keys(`${prefix}/`), (key) => key.slice(prefix.length + 1));
    } finally {
      view.release();
    }
  }

  get #key(): string {
    return `${prefix}/${this.#own}`;
  }
}
