// Webhooks: the HTTPS client, with one connection pool for each webhook.
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Agent, request as begin } from 'node:https';
import * as tls from 'node:tls';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Clock } from '../base/clock.ts';
import { serverVerification, systemAuthorities, trustedCertificates } from '../pki/trust.ts';
import { whyUnreachable } from '../transport/proxy/backend.ts';
import { problemIn } from './http-problem.ts';

/** The address of a webhook. */
export interface Address {
  /** As clients read it in errors, without its query. */
  readonly url: string;
  /** The host and port to connect to. */
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** The Host header. */
  readonly authority: string;
  /** The name that its certificate must be for, where that is not the host. */
  readonly serverName?: string;
}

export interface CallTerms {
  readonly clock: Clock;
  /** In milliseconds. */
  readonly patience: number;
  /** Extra time after the timeout, so that the caller's own deadline fires first. */
  readonly grace?: number;
  /** The request that waits for the answer. */
  readonly signal: AbortSignal | undefined;
  readonly userAgent: string;
}

/** A failed call, with the message for the client. */
export class CallFailed extends Error {
  /** As metrics count it. */
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

const unreachable = 503;

/** Calls to one webhook at once; those beyond wait, and their time runs. */
const mostAtOnce = 64;
const mostIdle = 8;
const idleTime = 90_000;
const longestAnswer = 10 * 1024 * 1024;
const tries = 3;

/** The connections to one webhook, kept open for the next call. */
export class Connections {
  readonly #agent: Agent;

  /** `authorities`: the CA bundle in PEM; without it, the system's trust store. */
  constructor(authorities: string | undefined) {
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets: mostAtOnce,
      maxFreeSockets: mostIdle,
      timeout: idleTime,
      ...serverVerification,
      secureContext: contextFor(authorities),
    });
  }

  /** Posts JSON and reads what comes back, if it is a good answer by its code. Throws CallFailed. */
  async post(address: Address, json: string, terms: CallTerms): Promise<Buffer> {
    const body = Buffer.from(json);
    const timeout = `${Math.ceil(terms.patience / 1000)}s`;
    const shown = `Post "${address.url}?timeout=${timeout}"`;
    const headers = {
      host: address.authority,
      'user-agent': terms.userAgent,
      accept: 'application/json, */*',
      'accept-encoding': 'gzip',
      'content-type': 'application/json',
      'content-length': body.length,
    };
    const call = new Call(terms, shown);
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return await call.make(this.#agent, address, `${address.path}?timeout=${timeout}`, headers, body);
        } catch (error) {
          if (!(error instanceof StaleConnection) || attempt === tries) throw error;
        }
      }
    } finally {
      call.end();
    }
  }

  /** No new calls are made; calls in flight finish. */
  retire(): void {
    this.#agent.maxFreeSockets = 0;
    for (const sockets of Object.values(this.#agent.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy();
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

function contextFor(authorities: string | undefined): tls.SecureContext {
  const ca = authorities === undefined ? systemAuthorities() : trustedCertificates(authorities);
  return tls.createSecureContext({ ...serverVerification, ...(ca.length > 0 && { ca }) });
}

/** A connection that was kept open had been closed by the other side. */
class StaleConnection extends Error {}

/** One call, which may take several connections but has one time to end. */
class Call {
  readonly #shown: string;
  readonly #terms: CallTerms;
  readonly #stopTimer: () => void;
  #sent: ClientRequest | undefined;
  #isReading = false;
  #over: CallFailed | undefined;

  constructor(terms: CallTerms, shown: string) {
    this.#terms = terms;
    this.#shown = shown;
    this.#stopTimer = terms.clock.after(terms.patience + (terms.grace ?? 0), this.#giveUp);
    terms.signal?.addEventListener('abort', this.#giveUp, { once: true });
  }

  end(): void {
    this.#stopTimer();
    this.#terms.signal?.removeEventListener('abort', this.#giveUp);
  }

  async make(
    agent: Agent,
    { host, port, serverName }: Address,
    path: string,
    headers: OutgoingHttpHeaders,
    body: Buffer,
  ): Promise<Buffer> {
    if (this.#over) throw this.#over;
    const name = serverName === undefined ? {} : { servername: serverName };
    const sent = begin({ agent, method: 'POST', host, port, path, headers, ...name });
    // As good as said in HTTP/1.1.
    sent.removeHeader('connection');
    this.#sent = sent;
    try {
      const answer = await answerTo(sent, body);
      return await this.#accept(answer);
    } catch (error) {
      if (this.#over) throw this.#over;
      if (error instanceof CallFailed) throw error;
      if (sent.reusedSocket && !this.#isReading) throw new StaleConnection();
      const why = whyUnreachable(error as Error, { host, port: String(port) });
      throw this.#failed(why);
    } finally {
      this.#isReading = false;
    }
  }

  async #accept(answer: IncomingMessage): Promise<Buffer> {
    const { statusCode = 0, headers } = answer;
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      answer.destroy();
      throw this.#failed(`answered by a redirect (${statusCode}), which is not followed`);
    }
    this.#isReading = true;
    const read = await readAll(answer);
    const body = headers['content-encoding'] === 'gzip' ? await unzipped(read) : read;
    const problem = problemIn(statusCode, headers['content-type'] ?? '', body);
    if (problem !== undefined) throw new CallFailed(problem, statusCode);
    return body;
  }

  readonly #giveUp = () => {
    this.#over ??= this.#failed('context deadline exceeded');
    this.#sent?.destroy(this.#over);
  };

  #failed(why: string): CallFailed {
    return new CallFailed(this.#isReading ? whileReading(why) : `${this.#shown}: ${why}`, unreachable);
  }
}

const whileReading = (why: string) =>
  `unexpected error when reading response body. Please retry. Original error: ${why}`;

const tooLong = () =>
  new CallFailed(whileReading(`the answer is longer than ${longestAnswer} bytes`), unreachable);

function answerTo(sent: ClientRequest, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.once('response', resolve);
    sent.end(body);
  });
}

async function readAll(answer: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    length += part.length;
    // Leaving the loop ends the connection.
    if (length > longestAnswer) throw tooLong();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function unzipped(body: Buffer): Promise<Buffer> {
  try {
    return await promisify(gunzip)(body, { maxOutputLength: longestAnswer });
  } catch (error) {
    const isTooLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLong ? tooLong() : new CallFailed(whileReading('gzip: invalid header'), unreachable);
  }
}
