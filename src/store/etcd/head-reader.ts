/** Linearizable reads: asks etcd for its latest revision, and waits until the local copy has reached it. */
import { setImmediate } from 'node:timers/promises';
import { type Revision, StorageUnavailable } from '../store.ts';

export interface HeadsOptions {
  /** Asks etcd for its latest revision. */
  ask(): Promise<Revision>;
  /** The latest revision of the copy. */
  reached(): Revision;
  readonly timeoutMs: number;
  /** The error that keeps the watch from following, if any. */
  trouble(): Error | undefined;
  /** Called when the copy did not catch up in time. */
  lags(): void;
}

/** Maximum number of concurrent requests. With only one, a caller might wait for two round trips. */
const MAX_CONCURRENT_REQUESTS = 2;

interface Waiter {
  readonly revision: Revision;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

export class HeadReader {
  readonly #options: HeadsOptions;
  readonly #waiters = new Set<Waiter>();
  readonly #inFlight = new Set<Promise<void>>();
  #next: Promise<Revision> | undefined;

  constructor(options: HeadsOptions) {
    this.#options = options;
  }

  /**
   * The latest acknowledged revision, once the copy has reached it. A request that is already in flight may return an
   * older revision than the caller knows of, so callers share the next request instead.
   */
  newest(): Promise<Revision> {
    this.#next ??= this.#requestNext();
    return this.#next;
  }

  /** Resolves once the copy shows `revision`. */
  reach(revision: Revision): Promise<void> {
    const { reached, timeoutMs } = this.#options;
    if (reached() >= revision) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter);
        reject(this.#lagError(revision));
        this.#options.lags();
      }, timeoutMs);
      const waiter = { revision, resolve, reject, timer };
      this.#waiters.add(waiter);
    });
  }

  /** Called when the copy shows `revision`. */
  advance(revision: Revision): void {
    for (const waiter of this.#waiters) {
      if (waiter.revision > revision) continue;
      this.#waiters.delete(waiter);
      clearTimeout(waiter.timer);
      waiter.resolve();
    }
  }

  stop(): void {
    for (const { timer, reject } of this.#waiters) {
      clearTimeout(timer);
      reject(new StorageUnavailable('the store is closed'));
    }
    this.#waiters.clear();
  }

  async #requestNext(): Promise<Revision> {
    if (this.#inFlight.size >= MAX_CONCURRENT_REQUESTS) await Promise.race(this.#inFlight);
    // Callers of the same event loop turn share the request.
    await setImmediate();
    this.#next = undefined;
    const request = this.#options.ask();
    const done = () => {
      this.#inFlight.delete(settled);
    };
    const settled = request.then(done, done);
    this.#inFlight.add(settled);
    const revision = await request;
    await this.reach(revision);
    return revision;
  }

  #lagError(revision: Revision): StorageUnavailable {
    const cause = this.#options.trouble();
    return new StorageUnavailable(
      `etcd is at revision ${revision}, but this server has received only ${this.#options.reached()}` +
        (cause ? `: ${cause.message}` : ''),
      { cause },
    );
  }
}
