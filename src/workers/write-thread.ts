// One worker thread with its queue of tasks.
import { Worker } from 'node:worker_threads';
import { type Outcome, type OutcomeMessage, type Task, type TaskMessage, transferable } from './messages.ts';
import type { ThreadOptions } from './thread-main.ts';

/** What a write comes to on a thread that cannot work it out. */
export const notOffloadable: Outcome = { is: 'beyond' };
/** After this many crashed threads no new one is started. */
export const maxThreadFailures = 3;

/** No more bytes than these wait on a thread, but for a single write: each is a copy of what the serving thread holds. */
const maxQueuedBytes = 16 * 1024 * 1024;

interface QueuedTask {
  readonly bytes: number;
  readonly resolve: (outcome: Outcome) => void;
}

/** A thread on which writes are worked out, one after the other. */
export class WriteThread {
  /** Resolves once it takes writes, or has ended before it did. */
  readonly begun: Promise<void>;
  readonly #worker: Worker;
  readonly #under = new Map<number, QueuedTask>();
  /** What it is to be asked at the end of this turn of the event loop. */
  #outbox: TaskMessage[] = [];
  #isReady = false;
  #bytes = 0;
  #ids = 0;

  /**
   * `room`: megabytes for what writes leave behind; with more of it, less is moved about before it is thrown away. `onEnd`
   * hears why, where it was not told to end.
   */
  constructor(options: ThreadOptions, room: number, onEnd: (problem: string | undefined) => void) {
    const isSource = import.meta.url.endsWith('.ts');
    const entry = new URL(isSource ? './thread-main.ts' : './write-thread.js', import.meta.url);
    this.#worker = new Worker(entry, {
      workerData: options,
      resourceLimits: { maxYoungGenerationSizeMb: room },
    });
    this.#worker.unref();
    let begin = () => {};
    this.begun = new Promise((resolve) => {
      begin = resolve;
    });
    let problem: string | undefined;
    this.#worker.on('message', (message: 'ready' | readonly OutcomeMessage[]) => {
      if (message !== 'ready') {
        for (const each of message) this.#settle(each);
        return;
      }
      this.#isReady = true;
      begin();
    });
    this.#worker.on('error', (error) => {
      problem = error instanceof Error ? error.message : String(error);
    });
    this.#worker.on('exit', () => {
      this.#giveBack();
      begin();
      onEnd(problem);
    });
  }

  get waiting(): number {
    return this.#under.size;
  }

  get hasRoom(): boolean {
    return this.#isReady && this.#bytes < maxQueuedBytes;
  }

  work(asked: Task): Promise<Outcome> {
    const bytes = asked.bytes.length;
    const id = ++this.#ids;
    this.#bytes += bytes;
    return new Promise((resolve) => {
      this.#under.set(id, { bytes, resolve });
      if (this.#outbox.push({ id, asked }) === 1) setImmediate(() => this.#post());
    });
  }

  /** Together, for waking a thread takes longer than most of what it is asked. */
  #post(): void {
    const questions = this.#outbox;
    this.#outbox = [];
    this.#worker.postMessage(
      questions,
      questions.flatMap(({ asked }) => transferable(asked.bytes)),
    );
  }

  /** Unfinished tasks resolve as not offloadable: the serving thread runs them. */
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
    for (const { resolve } of this.#under.values()) resolve(notOffloadable);
    this.#under.clear();
  }
}
