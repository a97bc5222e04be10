import { Worker } from 'node:worker_threads';
import type { Logger } from '../telemetry/log.ts';
import { type Outcome, type OutcomeMessage, type PlanMessage, transferable } from './messages.ts';
import type { ThreadOptions } from './thread-main.ts';

export interface WriteThreadsOptions extends ThreadOptions {
  /** How many there are at most. */
  readonly count: number;
  readonly logger: Logger;
}

/**
 * Writes that wait on one thread at most. The serving thread takes in many at a time and comes back to hand out more only
 * when it has dealt with those, so a short queue would run dry; what does not fit, it works out itself.
 */
const mostWaiting = 48;
/** Nor do more than so many bytes wait there, but for a single write: each is a copy of what the serving thread holds. */
const mostBytes = 16 * 1024 * 1024;
/** Room for what a write leaves behind: with more of it, less is moved about before it is thrown away. */
const maxYoungGenerationSizeMb = 64;
/** Threads that have had nothing to do for so long, in milliseconds, are let go with all their memory. */
const restAfter = 15_000;
/** After so many threads that broke, no other is tried. */
const mostFailures = 3;

const beyond: Outcome = { is: 'beyond' };

/** Threads on which writes are worked out. They are started when they are wanted, and end when they are not. */
export class WriteThreads {
  readonly #options: WriteThreadsOptions;
  #threads: Thread[] = [];
  #failures = 0;
  #lastUse = 0;
  #resting: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: WriteThreadsOptions) {
    this.#options = options;
  }

  /** Starts the threads, unless they are there. They can be used a moment later. */
  start(): void {
    if (this.#closed || this.#threads.length > 0 || this.#failures >= mostFailures) return;
    const { count, logger, ...options } = this.#options;
    for (let n = 0; n < count; n++) {
      const thread = new Thread(options, (problem) => {
        this.#threads = this.#threads.filter((other) => other !== thread);
        if (problem === undefined || this.#closed) return;
        this.#failures++;
        logger.warn({ problem }, 'a thread for writes ended; the serving thread does its work');
      });
      this.#threads.push(thread);
    }
    this.#lastUse = performance.now();
    this.#resting ??= setInterval(() => this.#restIfUnused(), restAfter).unref();
  }

  /** Sends a write to the thread with the least to do; undefined where none has room for it. */
  work(message: () => PlanMessage): Promise<Outcome> | undefined {
    let best: Thread | undefined;
    for (const thread of this.#threads) {
      if (thread.hasRoom && thread.waiting < (best?.waiting ?? mostWaiting)) best = thread;
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
    if (performance.now() - this.#lastUse >= restAfter) void this.#end();
  }

  async #end(): Promise<void> {
    clearInterval(this.#resting);
    this.#resting = undefined;
    const ended = this.#threads.map((thread) => thread.end());
    this.#threads = [];
    await Promise.all(ended);
  }
}

/** A write that a thread has been sent. */
interface Waiting {
  readonly bytes: number;
  readonly resolve: (outcome: Outcome) => void;
}

class Thread {
  #isReady = false;
  readonly #worker: Worker;
  readonly #under = new Map<number, Waiting>();
  #bytes = 0;

  /** `onEnd` hears why, where it was not told to end. */
  constructor(options: ThreadOptions, onEnd: (problem: string | undefined) => void) {
    const isSource = import.meta.url.endsWith('.ts');
    const entry = new URL(isSource ? './thread-main.ts' : './write-thread.js', import.meta.url);
    this.#worker = new Worker(entry, { workerData: options, resourceLimits: { maxYoungGenerationSizeMb } });
    this.#worker.unref();
    let problem: string | undefined;
    this.#worker.on('message', (message: 'ready' | OutcomeMessage) => {
      if (message === 'ready') this.#isReady = true;
      else this.#settle(message);
    });
    this.#worker.on('error', (error) => {
      problem = error instanceof Error ? error.message : String(error);
    });
    this.#worker.on('exit', () => {
      this.#giveBack();
      onEnd(problem);
    });
  }

  get waiting(): number {
    return this.#under.size;
  }

  get hasRoom(): boolean {
    return this.#isReady && this.#bytes < mostBytes;
  }

  work(message: PlanMessage): Promise<Outcome> {
    const bytes = message.bytes.length;
    this.#bytes += bytes;
    return new Promise((resolve) => {
      this.#under.set(message.id, { bytes, resolve });
      this.#worker.postMessage(message, transferable(message.bytes));
    });
  }

  /** What it has not finished is carried out elsewhere. */
  async end(): Promise<void> {
    this.#giveBack();
    await this.#worker.terminate();
  }

  #settle({ id, outcome }: OutcomeMessage): void {
    const waiting = this.#under.get(id);
    if (!waiting) return;
    this.#under.delete(id);
    this.#bytes -= waiting.bytes;
    waiting.resolve(outcome);
  }

  #giveBack(): void {
    this.#isReady = false;
    for (const { resolve } of this.#under.values()) resolve(beyond);
    this.#under.clear();
  }
}
