// Panic recovery filter: an error that a filter or handler throws becomes a Status response.
import { internalError } from '../../errors/catalogue.ts';
import { ApiError } from '../../errors/status.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { HttpExchange } from '../../transport/exchange.ts';
import { abortResponse, sendError } from '../../transport/response.ts';

export interface PanicRecoveryOptions {
  readonly logger: Logger;
  /** Maps errors of lower layers to API errors; undefined for a bug, which becomes 500. */
  toApiError?(error: unknown): ApiError | undefined;
}

/** Answers a request whose filter or handler has thrown. */
export function recover(
  exchange: HttpExchange,
  thrown: unknown,
  { logger, toApiError }: PanicRecoveryOptions,
): void {
  const error = thrown instanceof ApiError ? thrown : (toApiError?.(thrown) ?? thrown);
  if (exchange.isResponseStarted) {
    // The response has started, so the error is only logged, unless the client is gone.
    if (!exchange.signal.aborted) logPanic(exchange, error, logger);
    if (!exchange.response.writableEnded) abortResponse(exchange.response);
    return;
  }
  if (!(error instanceof ApiError)) logPanic(exchange, error, logger);
  sendError(
    exchange,
    error instanceof ApiError ? error : internalError('the server failed to answer this request'),
  );
}

function logPanic(exchange: HttpExchange, error: unknown, logger: Logger): void {
  const { verb, path } = exchange.info;
  logger.error(
    { err: error, auditId: exchange.auditId, verb, path },
    'request failed with an internal error',
  );
  exchange.audit?.panic(error);
  exchange.audit = undefined;
}
