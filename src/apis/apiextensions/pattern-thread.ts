// Custom resource validation: a worker thread for patterns that are expensive to compile or match.
import { Worker } from 'node:worker_threads';
import { badRequest } from '../../errors/catalogue.ts';

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

interface QueuedRequest extends PatternRequest {
  readonly resolve: (response: PatternResponse) => void;
  readonly reject: (error: unknown) => void;
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
  /** The thread processes the first request; the others wait. */
  readonly #queue: QueuedRequest[] = [];
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Rejects with BadRequest if the request takes too long. */
  match(pattern: string, text = ''): Promise<PatternResponse> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ pattern, text, resolve, reject });
      if (this.#queue.length === 1) this.#sendNext();
    });
  }

  #sendNext(): void {
    clearTimeout(this.#timer);
    const [next] = this.#queue;
    if (!next) {
      this.#timer = setTimeout(() => this.#terminate(), idleTimeoutMs).unref();
      return;
    }
    this.#worker ??= this.#start();
    this.#worker.postMessage({ pattern: next.pattern, text: next.text } satisfies PatternRequest);
    this.#timer = setTimeout(
      () => this.#failCurrent(badRequest('matching a pattern takes too long')),
      timeoutMs,
    );
  }

  #start(): Worker {
    // The build bundles pattern-thread-main.ts as pattern-thread.js (scripts/build.ts).
    const isSource = import.meta.url.endsWith('.ts');
    const entry = new URL(isSource ? './pattern-thread-main.ts' : './pattern-thread.js', import.meta.url);
    const worker = new Worker(entry);
    worker.unref();
    worker.on('message', (response: PatternResponse) => {
      this.#queue.shift()?.resolve(response);
      this.#sendNext();
    });
    worker.on('error', (error) => this.#failCurrent(error));
    return worker;
  }

  /** Terminates a thread that times out or crashes; the next request starts another. */
  #failCurrent(error: unknown): void {
    this.#terminate();
    this.#queue.shift()?.reject(error);
    this.#sendNext();
  }

  #terminate(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.removeAllListeners();
    // An error of the terminated worker must not become an uncaught exception.
    worker?.on('error', () => {});
    void worker?.terminate();
  }
}
