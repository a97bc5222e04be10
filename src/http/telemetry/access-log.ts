// HTTP access log: one line per request at verbosity 3 and above.
import type { Logger } from '../../telemetry/log.ts';
import { redactUrl } from '../../telemetry/redact-url.ts';
import type { HttpExchange } from '../../transport/exchange.ts';
import type { RequestObserver } from '../filters/chain.ts';

/** Requests are logged from this verbosity (`-v`) on. */
export const accessLogVerbosity = 3;

/** Logs one line per request once it is answered, without headers: they carry credentials. */
export class AccessLog implements RequestObserver {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  started(): void {}

  finished(exchange: HttpExchange): void {
    if (!this.#logger.isEnabled(accessLogVerbosity)) return;
    const { request, response, info, user, auditId } = exchange;
    const fields = {
      verb: info.verb,
      method: request.method,
      uri: redactUrl(request.url ?? ''),
      user: user.name,
      code: response.statusCode,
      bytes: exchange.bytesSent,
      ms: Math.round(exchange.elapsedMs * 1000) / 1000,
      from: request.socket?.remoteAddress,
      agent: exchange.request.headers['user-agent'],
      auditId,
    };
    this.#logger.verbose(accessLogVerbosity, fields, 'HTTP');
  }
}
