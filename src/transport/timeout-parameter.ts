import { durationProblem, parseDuration } from '../base/duration.ts';
import { badRequest } from '../errors/catalogue.ts';
import type { Exchange } from './exchange.ts';

/** How long the client allows its request to take (`?timeout=5s`), in milliseconds; undefined when it leaves that to us. */
export function timeoutParameter(exchange: Exchange): number | undefined {
  const { info, request } = exchange;
  if (info.queryAt < 0 || !request.url!.includes('timeout=', info.queryAt)) return undefined;
  const text = exchange.query.get('timeout');
  if (!text) return undefined;
  const unsigned = text.replace(/^[-+]/, '');
  try {
    const duration = parseDuration(unsigned);
    return text.startsWith('-') || duration === 0 ? undefined : duration;
  } catch {
    throw badRequest(
      `invalid timeout specified in the request URL - time: ${durationProblem(unsigned)} ${JSON.stringify(text)}`,
    );
  }
}
