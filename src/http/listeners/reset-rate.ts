// Slows down HTTP/2 connections that reset streams faster than a client needs to (rapid reset, CVE-2023-44487).
import type { Socket } from 'node:net';

/** Resets that a connection may have at once, and those per second beyond. Node closes a connection with twice as many at once. */
const burst = 50;
const perSecond = 33;
const pauseMs = 1_000;

/** The libuv handle of a socket. HTTP/2 sessions read from it, so that pausing the socket has no effect. */
interface ReadHandle {
  readStop(): void;
  readStart(): void;
}

export class ResetRate {
  readonly #socket: Socket;
  #allowed = burst;
  #updatedMs = performance.now();
  #pause: NodeJS.Timeout | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** A stream was reset. Above the rate nothing is read from the connection for a second. */
  add(): void {
    const now = performance.now();
    this.#allowed = Math.min(burst, this.#allowed + ((now - this.#updatedMs) * perSecond) / 1_000) - 1;
    this.#updatedMs = now;
    if (this.#allowed >= 0) return;
    this.#pause ??= setTimeout(() => this.#resume(), pauseMs).unref();
    this.stayPaused();
  }

  /** Node reads again after each write to the connection: this stops it again during a pause. */
  stayPaused(): void {
    if (this.#pause) this.#handle()?.readStop();
  }

  #resume(): void {
    this.#pause = undefined;
    this.#handle()?.readStart();
  }

  #handle(): ReadHandle | null | undefined {
    return (this.#socket as { _handle?: ReadHandle | null })._handle;
  }
}
