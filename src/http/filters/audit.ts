// Audit filter: creates the audit context of a request and records its first stage.
import type { Auditor } from '../../audit/auditor.ts';
import { unauthorized } from '../../errors/catalogue.ts';
import type { HttpExchange } from '../../transport/exchange.ts';
import { sendError, sendText } from '../../transport/response.ts';

/** Returns false if a blocking audit backend could not store the event; the 500 response has been sent. */
export function beginAudit(auditor: Auditor, exchange: HttpExchange, isLongRunning: boolean): boolean {
  exchange.audit = auditor.record(exchange, exchange.user, isLongRunning);
  if (exchange.audit === undefined || exchange.audit.requestReceived()) return true;
  exchange.audit = undefined;
  const target = JSON.stringify(exchange.request.url);
  sendText(exchange, 500, `Internal Server Error: ${target}: failed to store audit event\n`);
  return false;
}

/** Answers 401. The audit event of a request that fails authentication has one stage. */
export function rejectUnauthenticated(auditor: Auditor | undefined, exchange: HttpExchange): void {
  const audit = auditor?.record(exchange, undefined, false);
  exchange.audit = audit;
  sendError(exchange, unauthorized());
  // Without an audit context, the filter chain records no second stage when the request ends.
  exchange.audit = undefined;
  audit?.unauthenticated();
}
