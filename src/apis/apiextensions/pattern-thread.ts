// Custom resource validation: a worker thread for patterns that are expensive to compile or match.
import { Worker } from 'node:worker_threads';
import { badRequest } from '../../errors/catalogue.ts';

/** A request to the thread: compile a pattern and match it against a text. */
export interface PatternQuestion {
  readonly pattern: string;
  readonly text: string;
}

export interface PatternAnswer {
  /** In the words of RE2; undefined when nothing. */
  readonly problem?: string;
  readonly isFound: boolean;
}

interface Asked extends PatternQuestion {
  readonly resolve: (answer: PatternAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** The timeout of one request, and of an idle thread, in milliseconds. */
const longest = 5_000;
const restAfter = 1_000;

/**
 * Compiles and matches what would keep all others waiting, on a thread of its own, one question after the other. It is
 * there only while it is asked, and keeps no process from ending.
 */
export class PatternThread {
  readonly #asked: Asked[] = [];
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;

  ask(pattern: string, text = ''): Promise<PatternAnswer> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ pattern, text, resolve, reject });
      if (this.#asked.length === 1) this.#askNext();
    });
  }

  #askNext(): void {
    clearTimeout(this.#timer);
    const [next] = this.#asked;
    if (!next) {
      this.#timer = setTimeout(() => this.#end(), restAfter).unref();
      return;
    }
    this.#worker ??= this.#start();
    this.#worker.postMessage({ pattern: next.pattern, text: next.text } satisfies PatternQuestion);
    this.#timer = setTimeout(() => this.#giveUp(badRequest('matching a pattern takes too long')), longest);
  }

  #start(): Worker {
    const isSource = import.meta.url.endsWith('.ts');
    const entry = new URL(isSource ? './pattern-thread-main.ts' : './pattern-thread.js', import.meta.url);
    const worker = new Worker(entry);
    worker.unref();
    worker.on('message', (answer: PatternAnswer) => {
      this.#asked.shift()?.resolve(answer);
      this.#askNext();
    });
    worker.on('error', (error) => this.#giveUp(error));
    return worker;
  }

  /** Terminates a thread that times out or crashes; the next request starts another. */
  #giveUp(error: unknown): void {
    this.#end();
    this.#asked.shift()?.reject(error);
    this.#askNext();
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.removeAllListeners();
    // What it says of its end is of no interest any more.
    worker?.on('error', () => {});
    void worker?.terminate();
  }
}
