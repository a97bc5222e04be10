// One worker thread, seen from the serving thread: its queue of tasks, and their outcomes.
import type { Worker } from 'node:worker_threads';
import { startWorker } from '../base/worker-entry.ts';
import {
  type Outcome,
  type OutcomeMessage,
  type Task,
  type TaskMessage,
  transferable,
  type WorkerMessage,
} from './messages.ts';
import { answerQuestions, openQuestionChannel } from './questions.ts';
import type { ThreadData, ThreadOptions } from './thread-main.ts';
import type { WriteSession } from './write-session.ts';

/** The outcome of a task that the worker thread cannot run. */
export const notOffloadable: Outcome = { is: 'notOffloadable' };
/** After this many crashed threads no new one is started. */
export const maxThreadFailures = 3;

/** Limit of queued bytes, which are copies; a single larger write is accepted. */
const maxQueuedBytes = 16 * 1024 * 1024;

interface QueuedTask {
  readonly bytes: number;
  readonly resolve: (outcome: Outcome) => void;
}

/** Runs tasks one after the other. Callers check `hasCapacity` first. */
export class WriteThread {
  /** Resolves once the thread is ready or has exited. */
  readonly started: Promise<void>;
  readonly #worker: Worker;
  readonly #queued = new Map<number, QueuedTask>();
  /** Tasks to post at the end of this turn of the event loop. */
  #outbox: TaskMessage[] = [];
  #session: WriteSession | undefined;
  #isReady = false;
  #queuedBytes = 0;
  #lastId = 0;

  /** `onEnd` gets the error message if the thread exited because of an error. */
  constructor(
    options: ThreadOptions,
    youngGenerationMb: number,
    onEnd: (problem: string | undefined) => void,
  ) {
    // The build bundles thread-main.ts as write-thread.js.
    const isSource = import.meta.url.endsWith('.ts');
    const entry = new URL(isSource ? './thread-main.ts' : './write-thread.js', import.meta.url);
    const { serving, worker } = openQuestionChannel();
    answerQuestions(serving, async (message) => this.#session?.answer(message) ?? { isFailed: true });
    this.#worker = startWorker('write-thread', entry, {
      workerData: { ...options, questions: worker } satisfies ThreadData,
      transferList: [worker.port],
      resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
    });
    this.#worker.unref();
    let resolveStarted = () => {};
    this.started = new Promise((resolve) => {
      resolveStarted = resolve;
    });
    let problem: string | undefined;
    this.#worker.on('message', (message: WorkerMessage) => {
      if (message.type === 'outcomes') {
        for (const outcomeMessage of message.outcomes) this.#resolve(outcomeMessage);
        return;
      }
      this.#isReady = true;
      resolveStarted();
    });
    this.#worker.on('error', (error) => {
      problem = error instanceof Error ? error.message : String(error);
    });
    this.#worker.on('exit', () => {
      this.#returnUnfinished();
      resolveStarted();
      onEnd(problem);
    });
  }

  get queuedCount(): number {
    return this.#queued.size;
  }

  get hasCapacity(): boolean {
    return this.#isReady && this.#queuedBytes < maxQueuedBytes;
  }

  /** `session` answers the questions of a large write. The thread then runs one task at a time. */
  run(task: Task, session?: WriteSession): Promise<Outcome> {
    this.#session = session;
    const bytes = task.bytes.length;
    const id = ++this.#lastId;
    this.#queuedBytes += bytes;
    return new Promise((resolve) => {
      this.#queued.set(id, { bytes, resolve });
      if (this.#outbox.push({ id, task }) === 1) setImmediate(() => this.#post());
    });
  }

  /** Posts all tasks together, because waking a thread takes longer than most tasks. */
  #post(): void {
    const tasks = this.#outbox;
    this.#outbox = [];
    this.#worker.postMessage(
      tasks,
      tasks.flatMap(({ task }) => transferable(task.bytes)),
    );
  }

  /** Terminates the thread. Unfinished tasks resolve as not offloadable: the serving thread runs them. */
  async end(): Promise<void> {
    this.#returnUnfinished();
    await this.#worker.terminate();
  }

  #resolve({ id, outcome }: OutcomeMessage): void {
    const queued = this.#queued.get(id);
    if (!queued) return;
    this.#queued.delete(id);
    this.#queuedBytes -= queued.bytes;
    queued.resolve(outcome);
  }

  #returnUnfinished(): void {
    this.#isReady = false;
    for (const { resolve } of this.#queued.values()) resolve(notOffloadable);
    this.#queued.clear();
  }
}
