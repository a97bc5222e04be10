// Runs tasks one at a time. Users take turns, a user may have a bounded number of tasks waiting, and a waiting task whose
// client has disconnected is dropped.
import { FairQueue } from '../base/fair-queue.ts';
import { tooManyRequests } from '../errors/catalogue.ts';
import type { TaskOwner } from './task-owner.ts';

/** Waiting tasks per user, above which further ones are rejected with 429. */
const maxWaitingPerUser = 32;

interface WaitingTask<T> {
  readonly run: () => Promise<T>;
  readonly resolve: (result: T) => void;
  readonly reject: (error: unknown) => void;
}

export class FairExecutor<T> {
  readonly #waiting = new FairQueue<WaitingTask<T>>();
  /** What the tasks are, in the plural, for the message of 429. */
  readonly #taskNoun: string;
  #isRunning = false;

  constructor(taskNoun: string) {
    this.#taskNoun = taskNoun;
  }

  /**
   * Calls `task` when it is its turn. Rejects with the reason of the owner's signal, or with 429 if too many tasks of the user
   * wait. A task without an owner is the server's own.
   */
  run(task: () => Promise<T>, owner?: TaskOwner): Promise<T> {
    return owner ? this.#runFor(owner, task) : this.#enqueue('', task).result;
  }

  async #runFor({ user, signal }: TaskOwner, task: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    // User names are not empty, so no user shares the flow of the server.
    const flow = user.name;
    if (this.#waiting.countOf(flow) >= maxWaitingPerUser) {
      throw tooManyRequests(`too many ${this.#taskNoun} of this user are waiting, please try again later`, 1);
    }
    const { result, cancel } = this.#enqueue(flow, task);
    const onAbort = () => cancel(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await result;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** `cancel` rejects the result at once. A task that runs already is finished, and its result dropped. */
  #enqueue(flow: string, run: () => Promise<T>) {
    const { promise: result, resolve, reject } = withResolvers<T>();
    const task: WaitingTask<T> = { run, resolve, reject };
    this.#waiting.add(flow, task);
    void this.#runWaiting();
    const cancel = (reason: unknown) => {
      this.#waiting.remove(flow, task);
      reject(reason);
    };
    return { result, cancel };
  }

  async #runWaiting(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let task = this.#waiting.take(); task; task = this.#waiting.take()) {
      await task.run().then(task.resolve, task.reject);
    }
    this.#isRunning = false;
  }
}

/** Promise.withResolvers, which Node 20 lacks. */
function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
