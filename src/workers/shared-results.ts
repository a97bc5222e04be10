// Shared results: requests of a user for the same result wait for one task, and all requests find its result in a cache
// afterwards. The cache is bounded in bytes and emptied when idle, so that its memory comes back. Users do not share a
// task: it waits behind the other tasks of its owner.
import { entryBytes, LruCache } from '../base/lru-cache.ts';
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
  readonly #cached = new LruCache<Buffer>({
    maxWeight: maxCachedBytes,
    weightOf: ({ length }) => length + entryBytes,
  });
  #idleTimer: NodeJS.Timeout | undefined;

  /**
   * The result for this key: from the cache, from a task that runs already, or from `start`, whose task is owned by the first
   * request and aborted when no request waits for it any more. Rejects with the reason of the owner's signal.
   */
  get(
    key: string,
    owner: TaskOwner,
    start: (owner: TaskOwner) => Promise<Buffer | undefined>,
  ): Promise<Buffer | undefined> {
    const cached = this.#cached.get(key);
    if (cached) {
      this.#idleTimer?.refresh();
      return Promise.resolve(cached);
    }
    const taskKey = JSON.stringify([owner.user.name, key]);
    const task = this.#running.get(taskKey) ?? this.#start(taskKey, key, owner, start);
    return this.#join(taskKey, task, owner.signal);
  }

  #start(
    taskKey: string,
    key: string,
    { user }: TaskOwner,
    start: (owner: TaskOwner) => Promise<Buffer | undefined>,
  ): SharedTask {
    const abort = new AbortController();
    const result = start({ user, signal: abort.signal }).then(
      (bytes) => {
        this.#end(taskKey, task);
        if (bytes && bytes.length <= maxResultBytes) this.#cache(key, bytes);
        return bytes;
      },
      (error: unknown) => {
        this.#end(taskKey, task);
        throw error;
      },
    );
    // Every request that waits handles the rejection; there may be none left.
    result.catch(() => {});
    const task: SharedTask = { result, abort, waiting: 0 };
    this.#running.set(taskKey, task);
    return task;
  }

  async #join(taskKey: string, task: SharedTask, signal: AbortSignal): Promise<Buffer | undefined> {
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
        this.#end(taskKey, task);
        task.abort.abort(signal.reason);
      }
    }
  }

  /** A task that was aborted and started again must not remove its successor. */
  #end(taskKey: string, task: SharedTask): void {
    if (this.#running.get(taskKey) === task) this.#running.delete(taskKey);
  }

  #cache(key: string, bytes: Buffer): void {
    this.#cached.set(key, bytes);
    this.#idleTimer ??= setTimeout(() => this.#clear(), idleTimeoutMs).unref();
    this.#idleTimer.refresh();
  }

  #clear(): void {
    this.#cached.clear();
    this.#idleTimer = undefined;
  }
}
