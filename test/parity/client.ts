import { Agent, request as httpsRequest } from 'node:https';
import { gunzipSync } from 'node:zlib';
import { WebSocket } from 'ws';
import type { Backend } from '../support/aggregated-server.ts';
import type { Webhook } from '../support/webhook.ts';
import { isBinary, readBinary, readBinaryEvents } from './binary.ts';
import type { WatchReading } from './case.ts';

/** One of the two compared servers. */
export interface Server {
  url: URL;
  /** The token of a cluster admin. */
  token: string;
  agent: Agent;
  /** If the run started the server: its client CA. */
  clientAuthority?: Authority;
  /** If the run started the server: the CA of its authenticating proxies, if any. */
  proxyAuthority?: Authority;
  /** If the run started the server: the file with the signing key of service account tokens. */
  tokenKey?: string;
  /** The webhook of the run, for subjects that need one. */
  webhook?: Webhook;
  /** The extension API server of the run, and its address. */
  backend?: Backend & { readonly host: string };
}

/** The files of a certificate authority. */
export interface Authority {
  readonly certificate: string;
  readonly key: string;
}

export interface Request {
  method: string;
  /** Sent verbatim: a path with `..` or an invalid escape reaches the server unchanged. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: Buffer;
  certificate?: { readonly cert: string; readonly key: string };
}

export interface Answer {
  status: number;
  /** In the order received, names in lower case. */
  headers: [name: string, value: string][];
  body: string;
  /** Of a watch: the received data, and whether the server ended it. */
  stream?: { events: string[]; ended: boolean };
}

/** The timeout of a response, or of a watch that is read to its end. */
const patience = 15_000;

export function connectTo(url: string, token: string): Server {
  const agent = new Agent({ keepAlive: true, maxSockets: 16, rejectUnauthorized: false });
  return { url: new URL(url), token, agent };
}

/** Sends one request and reads the whole response. */
export async function exchange(server: Server, request: Request): Promise<Answer> {
  const { response, settled } = await open(server, request);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer);
  } catch (error) {
    chunks.push(Buffer.from(`\n(broken off: ${String(error)})`));
  }
  settled();
  const headers = headerPairs(response.rawHeaders);
  const zipped = headers.some(([name, value]) => name === 'content-encoding' && value === 'gzip');
  const bytes = Buffer.concat(chunks);
  const body = readable(zipped ? gunzipSync(bytes) : bytes, headers);
  return { status: response.statusCode ?? 0, headers, body };
}

function readable(body: Buffer, headers: [name: string, value: string][]): string {
  const contentType = contentTypeOf(headers);
  return isBinary(contentType) ? readBinary(body, contentType) : body.toString();
}

function contentTypeOf(headers: [name: string, value: string][]): string {
  return headers.find(([name]) => name === 'content-type')?.[1] ?? '';
}

/**
 * Opens a watch, runs `during` while it is open, then reads until enough events have arrived or the server ended the
 * stream. A response other than 200 is read like any other.
 */
export async function watchStream(
  server: Server,
  request: Request,
  reading: WatchReading,
  during: () => Promise<void>,
): Promise<Answer> {
  const { response, settled, hangUp } = await open(server, request);
  const headers = headerPairs(response.rawHeaders);
  const status = response.statusCode ?? 0;
  const lines = new LineReader();
  const contentType = contentTypeOf(headers);
  let binary = Buffer.alloc(0);
  if (!isBinary(contentType)) response.setEncoding('utf8');
  response.on('data', (chunk: string | Buffer) => {
    if (typeof chunk === 'string') return lines.push(chunk);
    binary = Buffer.concat([binary, chunk]);
    if (status === 200) lines.replace(readBinaryEvents(binary, contentType));
  });
  response.on('close', () => lines.end());
  await during();
  if (status !== 200) {
    await lines.read(Number.POSITIVE_INFINITY);
    settled();
    const body = isBinary(contentType) ? readBinary(binary, contentType) : lines.text;
    return { status, headers, body };
  }
  const ended = await lines.read(reading.events ?? Number.POSITIVE_INFINITY);
  settled();
  if (!ended) hangUp();
  return { status, headers, body: '', stream: { events: lines.upTo(reading.events), ended } };
}

/** The same over a WebSocket, with one event per message. */
export async function watchWebSocket(
  server: Server,
  request: Request,
  reading: WatchReading,
  during: () => Promise<void>,
): Promise<Answer> {
  const socket = new WebSocket(new URL(request.path, server.url.href.replace('http', 'ws')), {
    headers: request.headers,
    rejectUnauthorized: false,
    ...request.certificate,
  });
  const lines = new LineReader();
  const timer = setTimeout(() => socket.terminate(), patience);
  let refusal: Answer | undefined;
  let headers: [string, string][] = [];
  socket.on('upgrade', (response) => {
    headers = headerPairs(response.rawHeaders);
  });
  socket.on('message', (data) => lines.push(`${String(data).trim()}\n`));
  socket.on('close', () => lines.end());
  socket.on('error', () => lines.end());
  await new Promise<void>((resolve) => {
    socket.on('open', resolve);
    socket.on('error', () => resolve());
    socket.on('unexpected-response', (_request, response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        refusal = { status: response.statusCode ?? 0, headers: headerPairs(response.rawHeaders), body };
        resolve();
      });
    });
  });
  if (refusal) {
    clearTimeout(timer);
    socket.terminate();
    return refusal;
  }
  await during();
  const ended = await lines.read(reading.events ?? Number.POSITIVE_INFINITY);
  clearTimeout(timer);
  socket.terminate();
  return { status: 101, headers, body: '', stream: { events: lines.upTo(reading.events), ended } };
}

type OpenRequest = {
  response: import('node:http').IncomingMessage;
  settled: () => void;
  hangUp: () => void;
};

function open(server: Server, request: Request): Promise<OpenRequest> {
  return new Promise((resolve, reject) => {
    const outgoing = httpsRequest({
      agent: request.certificate ? false : server.agent,
      ...(request.certificate && { ...request.certificate, rejectUnauthorized: false }),
      host: server.url.hostname,
      port: server.url.port,
      method: request.method,
      path: request.path,
      headers: request.body ? { ...request.headers, 'content-length': request.body.length } : request.headers,
    });
    let answered = false;
    const timer = setTimeout(() => outgoing.destroy(new Error('no answer in time')), patience);
    outgoing.on('response', (response) => {
      answered = true;
      resolve({
        response,
        settled: () => clearTimeout(timer),
        hangUp: () => outgoing.destroy(),
      });
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // A server may reject a large body before it has read it completely, and close: the response counts, not the broken pipe.
      if (answered) return;
      clearTimeout(timer);
      // An idle connection that the server closed just now says nothing about the request.
      if (outgoing.reusedSocket && error.code === 'ECONNRESET') open(server, request).then(resolve, reject);
      else reject(error);
    });
    outgoing.end(request.body);
  });
}

function headerPairs(raw: string[]): [string, string][] {
  return raw.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1] ?? ''] as [string, string]] : [],
  );
}

class LineReader {
  text = '';
  #ended = false;
  #wake: () => void = () => {};

  push(chunk: string): void {
    this.text += chunk;
    this.#wake();
  }

  /** Everything received so far, parsed again. */
  replace(lines: string[]): void {
    this.text = lines.map((line) => `${line}\n`).join('');
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Waits for `count` lines; true when the stream ended first. */
  async read(count: number): Promise<boolean> {
    while (!this.#ended && this.text.split('\n').length - 1 < count) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.text.split('\n').length - 1 < count;
  }

  upTo(count?: number): string[] {
    return this.text
      .split('\n')
      .filter((line) => line !== '')
      .slice(0, count);
  }
}
