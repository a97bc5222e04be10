/**
 * Linearizable reads: reads the head from etcd, and waits until the local replica has applied it.
 *
 * Terms:
 * - head, or latest revision: the revision of the last write by any Orch server, as read from etcd.
 * - applied revision: the revision that reads of the local replica see.
 *
 * Invariant: the head that a caller gets was read from etcd after the call, so it includes every write that was
 * acknowledged before the call.
 */
import { setImmediate } from 'node:timers/promises';
import { type Revision, StorageUnavailable } from '../store.ts';

export interface HeadReaderOptions {
  /** Reads the head from etcd. */
  readLatest(): Promise<Revision>;
  /** The applied revision. */
  applied(): Revision;
  /** How long a caller waits for the replica to catch up. */
  readonly timeoutMs: number;
  /** The error that interrupted the watch, if any. */
  watchError(): Error | undefined;
  /** Called when the replica did not catch up in time. */
  onTimeout(): void;
}

/**
 * Maximum number of concurrent requests to etcd. With only one, a caller might wait for two round trips: that of the
 * request in flight, and its own.
 */
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
  /** The result of the request that has not been sent yet. */
  #next: Promise<Revision> | undefined;

  constructor(options: HeadReaderOptions) {
    this.#options = options;
  }

  /**
   * Returns the head, once the replica has applied it. A request that is already in flight may return an older
   * revision than the caller knows of, so callers share the next request instead.
   */
  latest(): Promise<Revision> {
    this.#next ??= this.#requestNext();
    return this.#next;
  }

  /** Resolves once the replica has applied `revision`. */
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

  /** Called when the replica has applied `revision`. */
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
    // Later callers must not share it.
    this.#next = undefined;
    const request = this.#options.readLatest();
    const removeFromInFlight = () => {
      this.#inFlight.delete(settled);
    };
    const settled = request.then(removeFromInFlight, removeFromInFlight);
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
