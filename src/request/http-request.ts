// Reads single values of an HTTP request: headers, query parameters and the client's ?timeout.
import type { IncomingHttpHeaders } from 'node:http';
import { describeInvalidDuration, parseDuration } from '../base/duration.ts';
import { badRequest } from '../errors/catalogue.ts';

/** The parts of an HTTP exchange that headers and query parameters are read from. */
export interface HttpRequest {
  readonly request: { readonly url?: string | undefined; readonly headers: IncomingHttpHeaders };
  readonly info: { readonly queryOffset: number };
  readonly query: URLSearchParams;
}

/** The first value of a header that Node does not type as a single string; for the others use `request.headers`. */
export function headerOf({ request }: Pick<HttpRequest, 'request'>, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** Parameters with a broken escape or a semicolon (once a separator) are dropped, as Go's net/url does. */
const malformedParameter = /;|%(?![0-9a-fA-F]{2})/;

/** The only query parser: authorization and the handler must read the same parameters. */
export function parseQuery(text: string): URLSearchParams {
  if (!malformedParameter.test(text)) return new URLSearchParams(text);
  const parameters = text
    .replace(/^\?/, '')
    .split('&')
    .filter((parameter) => !malformedParameter.test(parameter));
  return new URLSearchParams(parameters.join('&'));
}

/**
 * The request timeout that the client sets (`?timeout=5s`), in milliseconds. Undefined, for the server's default, if it
 * is absent, 0 or negative.
 */
export function requestedTimeoutMs(exchange: HttpRequest): number | undefined {
  const { info, request } = exchange;
  if (info.queryOffset < 0 || !request.url!.includes('timeout=', info.queryOffset)) return undefined;
  const text = exchange.query.get('timeout');
  if (!text) return undefined;
  const unsigned = text.replace(/^[-+]/, '');
  try {
    const duration = parseDuration(unsigned);
    return text.startsWith('-') || duration === 0 ? undefined : duration;
  } catch {
    throw badRequest(
      `invalid timeout specified in the request URL - time: ${describeInvalidDuration(unsigned)} ${JSON.stringify(text)}`,
    );
  }
}
