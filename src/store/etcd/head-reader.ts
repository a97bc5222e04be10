/** Linearizable reads: reads the latest revision from etcd, and waits until the local copy has reached it. */
import { setImmediate } from 'node:timers/promises';
import { type Revision, StorageUnavailable } from '../store.ts';

export interface HeadReaderOptions {
  /** Reads the latest revision from etcd. */
  readLatest(): Promise<Revision>;
  /** The latest revision of the copy. */
  applied(): Revision;
  readonly timeoutMs: number;
  /** The error that keeps the watch from following, if any. */
  watchError(): Error | undefined;
  /** Called when the copy did not catch up in time. */
  onTimeout(): void;
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
  readonly #options: HeadReaderOptions;
  readonly #waiters = new Set<Waiter>();
  readonly #inFlight = new Set<Promise<void>>();
  #next: Promise<Revision> | undefined;

  constructor(options: HeadReaderOptions) {
    this.#options = options;
  }

  /**
   * The latest acknowledged revision, once the copy has reached it. A request that is already in flight may return an
   * older revision than the caller knows of, so callers share the next request instead.
   */
  latest(): Promise<Revision> {
    this.#next ??= this.#requestNext();
    return this.#next;
  }

  /** Resolves once the copy shows `revision`. */
  waitFor(revision: Revision): Promise<void> {
    const { applied, timeoutMs } = this.#options;
    if (applied() >= revision) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter);
        reject(this.#lagError(revision));
        this.#options.onTimeout();
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
    const request = this.#options.readLatest();
    const done = () => {
      this.#inFlight.delete(settled);
    };
    const settled = request.then(done, done);
    this.#inFlight.add(settled);
    const revision = await request;
    await this.waitFor(revision);
    return revision;
  }

  #lagError(revision: Revision): StorageUnavailable {
    const cause = this.#options.watchError();
    return new StorageUnavailable(
      `etcd is at revision ${revision}, but this server has received only ${this.#options.applied()}` +
        (cause ? `: ${cause.message}` : ''),
      { cause },
    );
  }
}
