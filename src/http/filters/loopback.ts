import { headerOf } from '../../request/http-request.ts';
import type { Exchange } from '../../transport/exchange.ts';

/** How a page or a name server could make a browser on this machine talk to the port that asks for no credentials. */
export function whyForeign(exchange: Exchange, port: number): string | undefined {
  const host = headerOf(exchange, 'host') ?? '';
  if (!isLocal(host, port)) return `Host ${JSON.stringify(host)} is not this server on loopback`;
  const origin = headerOf(exchange, 'origin');
  if (origin !== undefined && !isLocalOrigin(origin, port)) {
    return `Origin ${JSON.stringify(origin)} is not this server on loopback`;
  }
  const site = headerOf(exchange, 'sec-fetch-site');
  if (site === 'cross-site' || site === 'same-site') return 'the request comes from another web site';
  return undefined;
}

function isLocal(host: string, port: number): boolean {
  return (
    ['localhost', '127.0.0.1', '[::1]'].some((name) => host.toLowerCase() === `${name}:${port}`) ||
    (port === 80 && ['localhost', '127.0.0.1', '[::1]'].includes(host.toLowerCase()))
  );
}

function isLocalOrigin(origin: string, port: number): boolean {
  return origin.startsWith('http://') && isLocal(origin.slice('http://'.length), port);
}
