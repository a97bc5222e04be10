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
  /** Oldest first. The caller adds an item, calls `arm` with it unless `isArmed`, and deletes it when it is done. */
  readonly running = new Set<T>();
  isArmed = false;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #expire: (item: T) => void;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, timeoutMs: number, expire: (item: T) => void) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#expire = expire;
  }

  arm(oldest: T): void {
    this.isArmed = true;
    this.#cancel = this.#clock.after(
      oldest.receivedMonotonicMs + this.#timeoutMs - this.#clock.elapsed(),
      () => this.#check(),
    );
  }

  close(): void {
    this.#cancel?.();
    this.isArmed = false;
    this.running.clear();
  }

  /** Expires the items that are due, and arms the timer for the oldest of the others. */
  #check(): void {
    this.isArmed = false;
    for (const item of this.running) {
      if (item.receivedMonotonicMs + this.#timeoutMs > this.#clock.elapsed()) {
        this.arm(item);
        return;
      }
      this.running.delete(item);
      this.#expire(item);
    }
  }
}
