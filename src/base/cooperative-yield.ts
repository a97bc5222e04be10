// Cooperative yielding: long computations let other work of the event loop run in between.

/** A computation blocks the event loop for at most this long. */
const maxBlockingMs = 1;

/**
 * Computations that run concurrently should share one: together they take `maxBlockingMs` of each turn of the event
 * loop. With one for each, a turn takes as many times that.
 */
export class CooperativeYield {
  #startedAtMs = performance.now();
  /** The computations that wait for a later turn, oldest first. A turn is scheduled if there are any. */
  readonly #waiting: (() => void)[] = [];

  /**
   * Called before each step of a computation: returns a promise to await if the computation has blocked the event loop
   * long enough, else undefined.
   */
  next(): Promise<void> | undefined {
    return this.#isTurnOver ? this.#yieldToEventLoop() : undefined;
  }

  get #isTurnOver(): boolean {
    return performance.now() - this.#startedAtMs >= maxBlockingMs;
  }

  #yieldToEventLoop(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) this.#scheduleTurn();
    });
  }

  #scheduleTurn(): void {
    setImmediate(() => {
      this.#startedAtMs = performance.now();
      this.#resumeNext();
    });
  }

  /** Resumes a computation, and after its next step the following one, in this turn if there is time left. */
  #resumeNext(): void {
    this.#waiting.shift()?.();
    if (this.#waiting.length === 0) return;
    // A tick that a microtask requests runs once no microtask is left: the resumed computation has taken its step by then.
    queueMicrotask(() => {
      process.nextTick(() => {
        if (this.#isTurnOver) this.#scheduleTurn();
        else this.#resumeNext();
      });
    });
  }
}

/**
 * Shared by the requests of a thread that are expensive for it, such as large responses and reviews: together they leave
 * time for others in each turn of the event loop.
 */
export const expensiveRequests = new CooperativeYield();

/** A computation as a generator. It yields a promise to pause until the promise settles. */
export type CooperativeTask<T> = Generator<Promise<unknown>, T, void>;

/** Runs a computation that never pauses because it got no CooperativeYield. */
export function runTaskSync<T>(task: CooperativeTask<T>): T {
  const { done, value } = task.next();
  if (!done) throw new Error('synchronous work must not yield');
  return value;
}

/** Runs a computation. Returns synchronously if it never pauses. */
export function runTask<T>(task: CooperativeTask<T>): T | Promise<T> {
  const { done, value } = task.next();
  return done ? value : continueTask(task, value);
}

async function continueTask<T>(task: CooperativeTask<T>, firstPause: Promise<unknown>): Promise<T> {
  for (let pause = firstPause; ; ) {
    await pause;
    const { done, value } = task.next();
    if (done) return value;
    pause = value;
  }
}
