// Chunks of a byte stream that is encoded while it is sent, with explicit pauses between them.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A pause of the encoder: for one turn of the event loop, or until a promise settles. */
export class Pause {
  readonly #until: Promise<unknown> | undefined;

  constructor(until?: Promise<unknown>) {
    this.#until = until;
  }

  /** The consumer awaits it before it reads the next chunk. */
  wait(): Promise<unknown> {
    return this.#until ?? nextTurn();
  }
}

export type Chunk = Buffer | Pause;

/** Yields to the event loop. */
export const yieldPause = new Pause();

/** Waits inside a generator of chunks: `const value = yield* waitFor(promise)`. */
export function* waitFor<T>(promise: Promise<T>): Generator<Pause, T> {
  let settled: { readonly value: T } | undefined;
  let failure: unknown;
  yield new Pause(
    promise.then(
      (value) => {
        settled = { value };
      },
      (error: unknown) => {
        failure = error;
      },
    ),
  );
  if (!settled) throw failure;
  return settled.value;
}

/** Concatenates chunks that need no waiting; skips pauses. */
export function concatChunks(chunks: Iterable<Chunk>): Buffer {
  const buffers: Buffer[] = [];
  for (const chunk of chunks) if (!(chunk instanceof Pause)) buffers.push(chunk);
  return Buffer.concat(buffers);
}
