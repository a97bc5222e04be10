// Pool of worker threads that prepare writes while the serving thread (the main thread) is busy.
import type { Logger } from '../telemetry/log.ts';
import type { Outcome, PrepareMessage } from './messages.ts';
import type { ThreadOptions } from './thread-main.ts';
import { maxThreadFailures, WriteThread } from './write-thread.ts';

export interface WriteThreadsOptions extends ThreadOptions {
  /** Number of threads. */
  readonly count: number;
  readonly logger: Logger;
}

/**
 * Queued writes per thread. The serving thread reads many requests in one turn of the event loop, so a short queue would run
 * empty in between. It prepares writes itself if the queues are full.
 */
const maxQueuedWrites = 48;
/** Size of V8's young generation: garbage of many writes is collected without promoting it. */
const youngGenerationMb = 64;
/** Idle threads are stopped after this time, to free their memory. */
const idleTimeoutMs = 15_000;

/** Threads are started on demand and stopped when idle. */
export class WriteThreadPool {
  readonly #options: WriteThreadsOptions;
  #threads: WriteThread[] = [];
  #failures = 0;
  #lastUseMs = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: WriteThreadsOptions) {
    this.#options = options;
  }

  /** Starts the threads unless they run. They accept writes once they are ready. */
  start(): void {
    if (this.#closed || this.#threads.length > 0 || this.#failures >= maxThreadFailures) return;
    const { count, logger, ...options } = this.#options;
    for (let n = 0; n < count; n++) {
      const thread = new WriteThread(options, youngGenerationMb, (problem) => {
        this.#threads = this.#threads.filter((candidate) => candidate !== thread);
        if (problem === undefined || this.#closed) return;
        this.#failures++;
        logger.warn({ problem }, 'write worker thread exited, continuing on the serving thread');
      });
      this.#threads.push(thread);
    }
    this.#lastUseMs = performance.now();
    this.#idleTimer ??= setInterval(() => this.#endIfIdle(), idleTimeoutMs).unref();
  }

  /** Sends a write to the thread with the shortest queue; undefined if no thread is ready or all queues are full. */
  tryRun(makeMessage: () => PrepareMessage): Promise<Outcome> | undefined {
    let leastBusy: WriteThread | undefined;
    for (const thread of this.#threads) {
      if (thread.hasCapacity && thread.queuedCount < (leastBusy?.queuedCount ?? maxQueuedWrites))
        leastBusy = thread;
    }
    if (!leastBusy) return undefined;
    this.#lastUseMs = performance.now();
    return leastBusy.run(makeMessage());
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#end();
  }

  #endIfIdle(): void {
    if (performance.now() - this.#lastUseMs >= idleTimeoutMs) void this.#end();
  }

  async #end(): Promise<void> {
    clearInterval(this.#idleTimer);
    this.#idleTimer = undefined;
    const ended = this.#threads.map((thread) => thread.end());
    this.#threads = [];
    await Promise.all(ended);
  }
}
