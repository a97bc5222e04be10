// Custom resource validation: a worker thread for patterns that are expensive to compile or match. Users take turns, a user
// may have a bounded number of requests waiting, and those of disconnected clients are dropped (FairExecutor).
import type { Worker } from 'node:worker_threads';
import { startWorker } from '../../base/worker-entry.ts';
import { badRequest } from '../../errors/catalogue.ts';
import { FairExecutor } from '../../request/fair-executor.ts';
import type { TaskOwner } from '../../request/task-owner.ts';

/** A request to the thread: compile a pattern and match it against a text. */
export interface PatternRequest {
  readonly pattern: string;
  readonly text: string;
}

export interface PatternResponse {
  /** RE2's error message; absent if the pattern is valid. */
  readonly problem?: string;
  /** Whether the pattern matches anywhere in the text. */
  readonly isFound: boolean;
}

/** How long one request may take. */
const timeoutMs = 5_000;
/** How long an idle thread is kept. */
const idleTimeoutMs = 1_000;

/**
 * Compiles and matches patterns that would block the event loop, on a worker thread, one request after another. The thread
 * ends when idle and does not keep the process alive.
 */
export class PatternThread {
  readonly #executor = new FairExecutor<PatternResponse>('expensive patterns');
  #worker: Worker | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  /**
   * Rejects with BadRequest if the request takes too long, with the reason of the owner's signal, or with 429 if too many
   * requests of the user wait. A request without an owner is the server's own.
   */
  match(pattern: string, text = '', owner?: TaskOwner): Promise<PatternResponse> {
    return this.#executor.run(() => this.#send({ pattern, text }), owner);
  }

  async #send(request: PatternRequest): Promise<PatternResponse> {
    clearTimeout(this.#idleTimer);
    this.#worker ??= this.#start();
    try {
      return await responseOf(this.#worker, request);
    } catch (error) {
      // A thread that crashed or is stuck in the request: the next request starts another.
      this.#terminate();
      throw error;
    } finally {
      this.#idleTimer = setTimeout(() => this.#terminate(), idleTimeoutMs).unref();
    }
  }

  #start(): Worker {
    // The build bundles pattern-thread-main.ts as pattern-thread.js (scripts/build.ts).
    const isSource = import.meta.url.endsWith('.ts');
    const entry = new URL(isSource ? './pattern-thread-main.ts' : './pattern-thread.js', import.meta.url);
    const worker = startWorker('pattern-thread', entry, {});
    worker.unref();
    // An error between two requests, or of a terminated worker, must not become an uncaught exception.
    worker.on('error', () => {});
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }

  #terminate(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }
}

/** Rejects with the worker's error, or with BadRequest after the timeout. */
function responseOf(worker: Worker, request: PatternRequest): Promise<PatternResponse> {
  return new Promise<PatternResponse>((resolve, reject) => {
    const timer = setTimeout(
      () => end(() => reject(badRequest('matching a pattern takes too long'))),
      timeoutMs,
    );
    const onMessage = (response: PatternResponse) => end(() => resolve(response));
    const onError = (error: unknown) => end(() => reject(error));
    const end = (settle: () => void) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError);
      settle();
    };
    worker.on('message', onMessage).on('error', onError);
    worker.postMessage(request);
  });
}
