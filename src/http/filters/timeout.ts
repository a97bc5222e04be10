// Timeout filter: answers 504 and aborts the handler when a request exceeds its deadline.
import type { Clock } from '../../base/clock.ts';
import { requestedTimeoutMs } from '../../request/http-request.ts';
import type { HttpExchange } from '../../transport/exchange.ts';
import { abortResponse, sendWithHeaders, textType } from '../../transport/response.ts';

/** Applies an earlier deadline that the client requests with `?timeout=`. Throws 400 for a malformed duration. */
export function applyTimeoutParameter(exchange: HttpExchange, clock: Clock, timeoutMs: number): void {
  const requestedMs = requestedTimeoutMs(exchange);
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
