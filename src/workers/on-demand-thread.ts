// A worker thread for large writes or responses, which would block the event loop of the serving thread (the main thread).
// It is started on demand and stopped when idle. Users take turns, a user may have a bounded number of tasks waiting, and a
// task whose client has disconnected is dropped.
import { requestTimeout } from '../errors/catalogue.ts';
import { FairExecutor } from '../request/fair-executor.ts';
import type { TaskOwner } from '../request/task-owner.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Outcome, Task } from './messages.ts';
import type { ThreadOptions } from './thread-main.ts';
import type { WriteSession } from './write-session.ts';
import { maxThreadFailures, notOffloadable, WriteThread } from './write-thread.ts';

/** Idle time after which the thread is stopped, to free its memory. */
const idleTimeoutMs = 30_000;
/** Size of V8's young generation: small, because large writes are rare. */
const youngGenerationMb = 16;
/** Timeout of one task. */
const taskTimeoutMs = 60_000;

/** Runs one task at a time. */
export class OnDemandThread {
  readonly #options: ThreadOptions;
  readonly #logger: Logger;
  #thread: WriteThread | undefined;
  readonly #executor = new FairExecutor<Outcome>('large requests');
  #idleTimer: NodeJS.Timeout | undefined;
  #failures = 0;
  #closed = false;

  constructor(options: ThreadOptions, logger: Logger) {
    this.#options = options;
    this.#logger = logger;
  }

  /**
   * Resolves as not offloadable if the serving thread has to run the task. `makeTask` copies the bytes of the task, so it
   * is called only when the task is sent. Rejects after the timeout, with the reason of the owner's signal, or with 429 if
   * too many tasks of the user wait. A task without an owner is the server's own. `session` answers the questions of a write.
   */
  run(makeTask: () => Task, owner?: TaskOwner, session?: WriteSession): Promise<Outcome> {
    return this.#executor.run(() => this.#runNow(makeTask, session), owner);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#endThread();
  }

  async #runNow(makeTask: () => Task, session: WriteSession | undefined): Promise<Outcome> {
    clearTimeout(this.#idleTimer);
    if (this.#closed || this.#failures >= maxThreadFailures) return notOffloadable;
    this.#thread ??= this.#start();
    const thread = this.#thread;
    await thread.started;
    if (!thread.hasCapacity) return notOffloadable;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(requestTimeout('processing the request takes too long')),
        taskTimeoutMs,
      );
    });
    try {
      return await Promise.race([thread.run(makeTask(), session), timeout]);
    } catch (error) {
      // The thread may be stuck in the task.
      void this.#endThread();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#idleTimer = setTimeout(() => void this.#endThread(), idleTimeoutMs).unref();
    }
  }

  #start(): WriteThread {
    const thread = new WriteThread(this.#options, youngGenerationMb, (problem) => {
      if (this.#thread === thread) this.#thread = undefined;
      if (problem === undefined || this.#closed) return;
      this.#failures++;
      this.#logger.warn(
        { problem },
        'worker thread for large writes exited, continuing on the serving thread',
      );
    });
    return thread;
  }

  async #endThread(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.end();
  }
}
