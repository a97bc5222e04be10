// Pool of worker threads that prepare writes while the serving thread is busy.
import type { Logger } from '../telemetry/log.ts';
import type { Outcome, PrepareMessage } from './messages.ts';
import type { ThreadOptions } from './thread-main.ts';
import { maxThreadFailures, WriteThread } from './write-thread.ts';

export interface WriteThreadsOptions extends ThreadOptions {
  /** How many there are at most. */
  readonly count: number;
  readonly logger: Logger;
}

/**
 * Writes that wait on one thread at most. The serving thread takes in many at a time and comes back to hand out more only
 * when it has dealt with those, so a short queue would run dry; what does not fit, it works out itself.
 */
const maxQueuedWrites = 48;
/** Megabytes of what writes leave behind. */
const youngGenerationMb = 64;
/** Threads that have had nothing to do for so long, in milliseconds, are let go with all their memory. */
const idleTimeoutMs = 15_000;

/** Threads on which writes are worked out. They are started when they are wanted, and end when they are not. */
export class WriteThreadPool {
  readonly #options: WriteThreadsOptions;
  #threads: WriteThread[] = [];
  #failures = 0;
  #lastUse = 0;
  #resting: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: WriteThreadsOptions) {
    this.#options = options;
  }

  /** Starts the threads, unless they are there. They can be used a moment later. */
  start(): void {
    if (this.#closed || this.#threads.length > 0 || this.#failures >= maxThreadFailures) return;
    const { count, logger, ...options } = this.#options;
    for (let n = 0; n < count; n++) {
      const thread = new WriteThread(options, youngGenerationMb, (problem) => {
        this.#threads = this.#threads.filter((other) => other !== thread);
        if (problem === undefined || this.#closed) return;
        this.#failures++;
        logger.warn({ problem }, 'write worker thread exited, continuing on the serving thread');
      });
      this.#threads.push(thread);
    }
    this.#lastUse = performance.now();
    this.#resting ??= setInterval(() => this.#restIfUnused(), idleTimeoutMs).unref();
  }

  /** Sends a write to the thread with the least to do; undefined where none has room for it. */
  work(message: () => PrepareMessage): Promise<Outcome> | undefined {
    let best: WriteThread | undefined;
    for (const thread of this.#threads) {
      if (thread.hasRoom && thread.waiting < (best?.waiting ?? maxQueuedWrites)) best = thread;
    }
    if (!best) return undefined;
    this.#lastUse = performance.now();
    return best.work(message());
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#end();
  }

  #restIfUnused(): void {
    if (performance.now() - this.#lastUse >= idleTimeoutMs) void this.#end();
  }

  async #end(): Promise<void> {
    clearInterval(this.#resting);
    this.#resting = undefined;
    const ended = this.#threads.map((thread) => thread.end());
    this.#threads = [];
    await Promise.all(ended);
  }
}
