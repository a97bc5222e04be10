// Timeout filter: answers 504 and aborts the handler when a request exceeds its deadline.
import type { Clock } from '../../base/clock.ts';
import { timeoutParameter } from '../../request/http-request.ts';
import type { HttpExchange } from '../../transport/exchange.ts';
import { abortResponse, sendWithHeaders, textType } from '../../transport/response.ts';

/** Applies an earlier deadline that the client requests with `?timeout=`. Throws 400 for a malformed duration. */
export function applyTimeoutParameter(exchange: HttpExchange, clock: Clock, timeoutMs: number): void {
  const requestedMs = timeoutParameter(exchange);
  if (requestedMs === undefined || requestedMs >= timeoutMs) return;
  exchange.deadlineMs = exchange.receivedMonotonicMs + requestedMs;
  exchange.stopTimeout = clock.after(requestedMs, () => timeOut(exchange));
}

/** The body of the 504, as upstream sends it: a Status without kind and apiVersion, as plain text. */
const timeoutStatus = `${JSON.stringify({
  metadata: {},
  status: 'Failure',
  message: 'Timeout: request did not complete within the allotted timeout',
  reason: 'Timeout',
  details: {},
  code: 504,
})}\n`;

export function timeOut(exchange: HttpExchange): void {
  if (exchange.isResponseStarted) {
    if (!exchange.response.writableFinished) abortResponse(exchange.response);
  } else {
    // As upstream's timeout filter, which is outside flow control, this response has none of flow control's headers.
    exchange.responseHeaders = [];
    sendWithHeaders(exchange, 504, ['Content-Type', textType], timeoutStatus);
  }
  exchange.abort(new Error('the request timed out'));
}

interface Timed {
  readonly receivedMonotonicMs: number;
}

/** Expires items by age. All have the same timeout, so one timer, for the oldest, serves all. */
export class DeadlineQueue<T extends Timed> {
  /** Oldest first. */
  readonly #items = new Set<T>();
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #expire: (item: T) => void;
  /** Cancels the timer; undefined while there is none. */
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock, timeoutMs: number, expire: (item: T) => void) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#expire = expire;
  }

  /** Adds an item that is younger than all others. */
  add(item: T): void {
    this.#items.add(item);
    if (this.#cancelTimer === undefined) this.#startTimer(item);
  }

  /** Removes an item before its deadline. The timer stays: it then finds that nothing is due. */
  remove(item: T): void {
    this.#items.delete(item);
  }

  close(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#items.clear();
  }

  #startTimer(oldest: T): void {
    this.#cancelTimer = this.#clock.after(
      oldest.receivedMonotonicMs + this.#timeoutMs - this.#clock.elapsed(),
      () => this.#expireDue(),
    );
  }

  /** Expires the items that are due, and starts the timer for the oldest of the others. */
  #expireDue(): void {
    this.#cancelTimer = undefined;
    for (const item of this.#items) {
      if (item.receivedMonotonicMs + this.#timeoutMs > this.#clock.elapsed()) {
        this.#startTimer(item);
        return;
      }
      this.#items.delete(item);
      this.#expire(item);
    }
  }
}
