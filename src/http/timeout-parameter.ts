import { parseDuration } from '../cli/duration.ts';
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
      `invalid timeout specified in the request URL - time: ${problem(unsigned)} ${JSON.stringify(text)}`,
    );
  }
}

function problem(text: string): string {
  if (/^(?:\d+\.?\d*|\.\d+)$/.test(text)) return 'missing unit in duration';
  const unit = /^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))*(?:\d+\.?\d*|\.\d+)([^\d.]+)/.exec(
    text,
  )?.[1];
  return unit === undefined ? 'invalid duration' : `unknown unit ${JSON.stringify(unit)} in duration`;
}
