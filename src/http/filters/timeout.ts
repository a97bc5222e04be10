// Timeout filter: answers 504 and aborts the handler when a request exceeds its deadline.
import type { Clock } from '../../base/clock.ts';
import { timeoutParameter } from '../../request/http-request.ts';
import { breakOff, sendWith, textType } from '../../transport/answer.ts';
import type { HttpExchange } from '../../transport/http-exchange.ts';

/** Smaller bodies fit into the socket's buffers; larger ones are under the deadline until the client has read them. */
const maxSocketBufferBytes = 64 * 1024;

export class RequestTimeouts {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #deadlines: DeadlineQueue<HttpExchange>;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#deadlines = new DeadlineQueue(clock, timeoutMs, timeOut);
  }

  begin(exchange: HttpExchange): void {
    this.#deadlines.add(exchange);
  }

  /** Sets the deadline: the server's, or an earlier one of `?timeout=`. Throws 400 for a malformed duration. */
  applyParameter(exchange: HttpExchange): void {
    const requestedMs = timeoutParameter(exchange);
    const timeoutMs = this.#timeoutMs;
    exchange.deadlineMs = exchange.startedMonotonicMs + Math.min(requestedMs ?? timeoutMs, timeoutMs);
    if (requestedMs === undefined || requestedMs >= timeoutMs) return;
    exchange.stopTimeout = this.#clock.after(requestedMs, () => timeOut(exchange));
  }

  end(exchange: HttpExchange): void {
    const { response } = exchange;
    if (exchange.bytesSent < maxSocketBufferBytes || response.writableFinished || response.destroyed) {
      this.#remove(exchange);
    } else {
      response.once('close', () => this.#remove(exchange));
    }
  }

  close(): void {
    this.#deadlines.close();
  }

  #remove(exchange: HttpExchange): void {
    this.#deadlines.delete(exchange);
    exchange.stopTimeout?.();
  }
}

const timeoutStatus = `${JSON.stringify({
  metadata: {},
  status: 'Failure',
  message: 'Timeout: request did not complete within the allotted timeout',
  reason: 'Timeout',
  details: {},
  code: 504,
})}\n`;

function timeOut(exchange: HttpExchange): void {
  if (exchange.isAnswered) {
    if (!exchange.response.writableFinished) breakOff(exchange.response);
  } else {
    // Upstream's timeout filter is outside flow control, whose headers it does not send.
    exchange.responseHeaders = [];
    sendWith(exchange, 504, ['Content-Type', textType], timeoutStatus);
  }
  exchange.abort(new Error('the request timed out'));
}

interface Timed {
  readonly startedMonotonicMs: number;
}

/**
 * Expires items by age. All have the same timeout, so the oldest is always the next to expire: one timer serves all, and an
 * item costs an entry in a set.
 */
export class DeadlineQueue<T extends Timed> {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #expire: (item: T) => void;
  readonly #running = new Set<T>();
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, timeoutMs: number, expire: (item: T) => void) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#expire = expire;
  }

  add(item: T): void {
    this.#running.add(item);
    if (this.#cancel === undefined) this.#arm(item);
  }

  delete(item: T): void {
    this.#running.delete(item);
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#running.clear();
  }

  #arm(oldest: T): void {
    this.#cancel = this.#clock.after(
      oldest.startedMonotonicMs + this.#timeoutMs - this.#clock.elapsed(),
      () => this.#check(),
    );
  }

  #check(): void {
    this.#cancel = undefined;
    for (const item of this.#running) {
      if (item.startedMonotonicMs + this.#timeoutMs > this.#clock.elapsed()) {
        this.#arm(item);
        return;
      }
      this.#running.delete(item);
      this.#expire(item);
    }
  }
}
