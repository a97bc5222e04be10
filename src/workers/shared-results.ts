// Shared results: requests for the same result wait for one task, and find its result in a cache afterwards. The cache is
// bounded in bytes and emptied when idle, so that its memory comes back.
import type { TaskOwner } from '../request/task-owner.ts';

const maxCachedBytes = 16 * 1024 * 1024;
/** A larger result would displace most others. */
const maxResultBytes = 4 * 1024 * 1024;
const idleTimeoutMs = 30_000;

/** A task, and the requests that wait for its result. */
interface SharedTask {
  readonly result: Promise<Buffer | undefined>;
  readonly abort: AbortController;
  waiting: number;
}

export class SharedResults {
  readonly #running = new Map<string, SharedTask>();
  /** In the order of their last use. */
  readonly #cached = new Map<string, Buffer>();
  #cachedBytes = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  /**
   * The result for this key: from the cache, from a task that runs already, or from `start`, whose task is owned by the first
   * request and aborted when no request waits for it any more. Rejects with the reason of the owner's signal.
   */
  get(
    key: string,
    owner: TaskOwner | undefined,
    start: (owner: TaskOwner | undefined) => Promise<Buffer | undefined>,
  ): Promise<Buffer | undefined> {
    const cached = this.#cached.get(key);
    if (cached) {
      this.#cache(key, cached);
      return Promise.resolve(cached);
    }
    // The server's own tasks are not aborted, so no request may depend on aborting them.
    if (!owner) return start(undefined);
    const task = this.#running.get(key) ?? this.#start(key, owner, start);
    return this.#join(key, task, owner.signal);
  }

  #start(
    key: string,
    { user }: TaskOwner,
    start: (owner: TaskOwner) => Promise<Buffer | undefined>,
  ): SharedTask {
    const abort = new AbortController();
    const result = start({ user, signal: abort.signal }).then(
      (bytes) => {
        this.#end(key, task);
        if (bytes && bytes.length <= maxResultBytes) this.#cache(key, bytes);
        return bytes;
      },
      (error: unknown) => {
        this.#end(key, task);
        throw error;
      },
    );
    // Every request that waits handles the rejection; there may be none left.
    result.catch(() => {});
    const task: SharedTask = { result, abort, waiting: 0 };
    this.#running.set(key, task);
    return task;
  }

  async #join(key: string, task: SharedTask, signal: AbortSignal): Promise<Buffer | undefined> {
    signal.throwIfAborted();
    task.waiting++;
    let onAbort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([task.result, aborted]);
    } finally {
      signal.removeEventListener('abort', onAbort);
      task.waiting--;
      if (task.waiting === 0) {
        // A later request must not join an aborted task.
        this.#end(key, task);
        task.abort.abort(signal.reason);
      }
    }
  }

  /** A task that was aborted and started again must not remove its successor. */
  #end(key: string, task: SharedTask): void {
    if (this.#running.get(key) === task) this.#running.delete(key);
  }

  #cache(key: string, bytes: Buffer): void {
    const previous = this.#cached.get(key);
    if (previous) this.#cachedBytes -= previous.length;
    this.#cached.delete(key);
    this.#cached.set(key, bytes);
    this.#cachedBytes += bytes.length;
    for (const [oldest, { length }] of this.#cached) {
      if (this.#cachedBytes <= maxCachedBytes) break;
      this.#cached.delete(oldest);
      this.#cachedBytes -= length;
    }
    this.#idleTimer ??= setTimeout(() => this.#clear(), idleTimeoutMs).unref();
    this.#idleTimer.refresh();
  }

  #clear(): void {
    this.#cached.clear();
    this.#cachedBytes = 0;
    this.#idleTimer = undefined;
  }
}
