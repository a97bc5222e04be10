import type { Exchange } from './exchange.ts';

/** A request header that stands for one value; undefined when it is absent. */
export function headerOf(exchange: Exchange, name: string): string | undefined {
  const value = exchange.request.headers[name];
  return typeof value === 'string' ? value : value?.[0];
}
