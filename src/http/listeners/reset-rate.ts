// Slows down HTTP/2 connections that reset streams faster than a client needs to (rapid reset, CVE-2023-44487).
import type { Socket } from 'node:net';

/** Resets that a connection may have at once, and those per second beyond. Node closes a connection with twice as many at once. */
const burst = 50;
const perSecond = 33;
const pauseMs = 1_000;
/** Node starts to read again when it has written to the connection, so a pause is renewed. */
const renewMs = 5;

/** The libuv handle of a socket. HTTP/2 sessions read from it, so that pausing the socket has no effect. */
interface ReadHandle {
  readStop(): void;
  readStart(): void;
}

export class ResetRate {
  readonly #socket: Socket;
  #allowed = burst;
  #updatedMs = performance.now();
  #pausedUntilMs = 0;
  #renewal: NodeJS.Timeout | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** A stream was reset. Above the rate little is read from the connection for a second. */
  add(): void {
    const now = performance.now();
    this.#allowed = Math.min(burst, this.#allowed + ((now - this.#updatedMs) * perSecond) / 1_000) - 1;
    this.#updatedMs = now;
    if (this.#allowed >= 0 || this.#renewal) return;
    this.#pausedUntilMs = now + pauseMs;
    this.#renewal = setInterval(() => this.#renew(), renewMs).unref();
    this.#handle()?.readStop();
  }

  #renew(): void {
    if (performance.now() < this.#pausedUntilMs) {
      this.#handle()?.readStop();
      return;
    }
    clearInterval(this.#renewal);
    this.#renewal = undefined;
    this.#handle()?.readStart();
  }

  /** Null once the socket is destroyed. */
  #handle(): ReadHandle | null | undefined {
    return (this.#socket as { _handle?: ReadHandle | null })._handle;
  }
}
