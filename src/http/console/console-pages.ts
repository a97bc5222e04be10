// Serves the web console: its files at /console/, the redirect of browsers from /, and the names that the console needs.
//
// These requests pass before authentication, because a user signs in with the page. The files are the same for everybody and
// contain nothing of the cluster; whatever the page shows, it reads from the API as the user that signed in.
import type { Exchange } from '../../transport/exchange.ts';
import { sendText, sendWithHeaders, writeHead } from '../../transport/response.ts';
import { type ConsoleFile, ConsoleFiles } from './built-files.ts';
import { acceptsHtml, consoleInfoPath, consolePath, consoleWatchPath } from './console-paths.ts';
import { consoleSecurityHeaders } from './security-headers.ts';

/** What the console has to know of the server before the user has signed in. Nothing here is secret. */
export interface ConsoleInfo {
  readonly version: string;
  readonly dialect: string;
  /** The names with the service's domain that the console uses. */
  readonly names: Readonly<Record<string, string>>;
}

const indexFile = 'index.html';
const year = 31_536_000;

export class ConsolePages {
  readonly #files = new ConsoleFiles();
  readonly #info: ConsoleInfo;

  constructor(info: ConsoleInfo) {
    this.#info = info;
  }

  /** Undefined for a request that is not for a page of the console. */
  serve(exchange: Exchange): Promise<void> | undefined {
    const { info, request } = exchange;
    const { path } = info;
    if (path === '/') {
      if (request.method !== 'GET' || !acceptsHtml(request.headers.accept)) return undefined;
      return redirectToConsole(exchange, 302);
    }
    if (!path.startsWith('/console') || path === consoleWatchPath) return undefined;
    if (path === '/console') return redirectToConsole(exchange, 301);
    if (!path.startsWith(consolePath)) return undefined;
    if (request.method !== 'GET' && request.method !== 'HEAD') return rejectMethod(exchange);
    if (path === consoleInfoPath) return this.#sendInfo(exchange);
    return this.#sendFile(exchange, path.slice(consolePath.length) || indexFile);
  }

  async #sendInfo(exchange: Exchange): Promise<void> {
    const body = JSON.stringify({ ...this.#info, isSecure: isEncrypted(exchange) });
    sendWithHeaders(exchange, 200, headersFor('application/json'), body, 'no-store');
  }

  async #sendFile(exchange: Exchange, name: string): Promise<void> {
    const file = await this.#files.find(name);
    if (!file)
      return sendText(exchange, 404, '404 page not found\n', consoleSecurityHeaders.filter(isNotNosniff));
    const cacheControl = file.isImmutable ? `public, max-age=${year}, immutable` : 'no-cache';
    if (exchange.request.headers['if-none-match'] === file.etag) {
      writeHead(exchange, 304, ['Etag', file.etag, 'Vary', 'Accept-Encoding'], cacheControl);
      exchange.response.end();
      return;
    }
    const [coding, body] = preferredBody(file, exchange.request.headers['accept-encoding']);
    const headers = headersFor(file.contentType);
    headers.push('Etag', file.etag, 'Vary', 'Accept-Encoding');
    if (coding !== 'identity') headers.push('Content-Encoding', coding);
    if (exchange.request.method === 'HEAD') {
      headers.push('Content-Length', String(body.length));
      writeHead(exchange, 200, headers, cacheControl);
      exchange.response.end();
    } else sendWithHeaders(exchange, 200, headers, body, cacheControl);
  }
}

/** sendText sets this header itself. */
const isNotNosniff = (_: string, index: number, headers: readonly string[]) =>
  headers[index - (index % 2)] !== 'X-Content-Type-Options';

const headersFor = (contentType: string) => ['Content-Type', contentType, ...consoleSecurityHeaders];

async function redirectToConsole(exchange: Exchange, code: number): Promise<void> {
  const headers = [...consoleSecurityHeaders, 'Location', consolePath, 'Vary', 'Accept'];
  sendWithHeaders(exchange, code, headers, '');
}

async function rejectMethod(exchange: Exchange): Promise<void> {
  sendText(exchange, 405, '405 method not allowed\n', ['Allow', 'GET, HEAD']);
}

const isEncrypted = ({ request }: Exchange) => 'stream' in request || 'encrypted' in request.socket;

/** Brotli before gzip, if the client accepts it. */
function preferredBody({ bodies }: ConsoleFile, acceptEncoding: string | string[] = ''): [string, Buffer] {
  const accepted = String(acceptEncoding)
    .split(',')
    .map((range) => range.trim().toLowerCase())
    .filter((range) => !/;\s*q=0(\.0*)?$/.test(range))
    .map((range) => range.replace(/\s*;.*/, ''));
  for (const coding of ['br', 'gzip']) {
    const body = bodies.get(coding);
    if (body && accepted.includes(coding)) return [coding, body];
  }
  return ['identity', bodies.get('identity')!];
}
