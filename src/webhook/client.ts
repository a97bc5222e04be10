// Webhooks: the HTTPS client, with one connection pool for each webhook.

import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import * as tls from 'node:tls';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Clock } from '../base/clock.ts';
import { canonicalHost } from '../base/ip-address.ts';
import { parseCABundle, serverVerification, systemRootCertificates } from '../pki/ca-bundle.ts';
import { connectionErrorText } from '../transport/proxy/backend.ts';
import { responseErrorMessage } from './response-error.ts';

/** The resolved address of a webhook. */
export interface WebhookAddress {
  /** The URL in error messages, without the query. */
  readonly url: string;
  /** The host and port to connect to. */
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** The Host header. */
  readonly authority: string;
  /** The TLS server name; absent: the host. */
  readonly serverName?: string;
}

export interface WebhookCallOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Added to the timeout, so that the deadline of the API request fires first. */
  readonly deadlineGraceMs?: number;
  /** Aborts when the API request ends. */
  readonly signal: AbortSignal | undefined;
  readonly userAgent: string;
}

/** A webhook call failed; the message is sent to the client. */
export class WebhookCallError extends Error {
  /** The status code in metrics: that of the response, or 503 if there was none. */
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

const unreachableStatusCode = 503;

/** Concurrent calls to one webhook. Further calls wait for a socket, and their timeout runs meanwhile. */
const maxSockets = 64;
/** Idle connections that are kept open for later calls. */
const maxFreeSockets = 8;
const idleTimeoutMs = 90_000;
const maxResponseBytes = 10 * 1024 * 1024;
/** Attempts of one call: a reused connection that the webhook had closed is retried. */
const maxAttempts = 3;

/** The keep-alive connections to one webhook. */
export class WebhookConnectionPool {
  readonly #agent: Agent;

  /** `caBundle` is in PEM. Absent: the system's trust store. */
  constructor(caBundle: string | undefined) {
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets,
      maxFreeSockets,
      timeout: idleTimeoutMs,
      ...serverVerification,
      secureContext: secureContextFor(caBundle),
    });
  }

  /** Posts JSON and returns the body of a successful response. Throws WebhookCallError. */
  async post(address: WebhookAddress, json: string, options: WebhookCallOptions): Promise<Buffer> {
    const body = Buffer.from(json);
    const timeout = `${Math.ceil(options.timeoutMs / 1000)}s`;
    const description = `Post "${address.url}?timeout=${timeout}"`;
    const headers = {
      host: address.authority,
      'user-agent': options.userAgent,
      accept: 'application/json, */*',
      'accept-encoding': 'gzip',
      'content-type': 'application/json',
      'content-length': body.length,
    };
    const call = new PendingWebhookCall(options, description);
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return await call.attempt(
            this.#agent,
            address,
            `${address.path}?timeout=${timeout}`,
            headers,
            body,
          );
        } catch (error) {
          if (!(error instanceof StaleConnection) || attempt === maxAttempts) throw error;
        }
      }
    } finally {
      call.end();
    }
  }

  /** Closes idle connections, and those in use once their calls finish. */
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

function secureContextFor(caBundle: string | undefined): tls.SecureContext {
  const ca = caBundle === undefined ? systemRootCertificates() : parseCABundle(caBundle);
  return tls.createSecureContext({ ...serverVerification, ...(ca.length > 0 && { ca }) });
}

/** The webhook had closed the reused connection before it read the request. */
class StaleConnection extends Error {}

/** One call: all its attempts share one timeout. */
class PendingWebhookCall {
  readonly #description: string;
  readonly #options: WebhookCallOptions;
  readonly #stopTimer: () => void;
  #request: ClientRequest | undefined;
  /** Decides the words of an error: upstream reports one while reading the body differently. */
  #isReadingBody = false;
  /** Set once the timeout has passed or the API request has ended. */
  #abortError: WebhookCallError | undefined;

  constructor(options: WebhookCallOptions, description: string) {
    this.#options = options;
    this.#description = description;
    this.#stopTimer = options.clock.after(options.timeoutMs + (options.deadlineGraceMs ?? 0), this.#abort);
    options.signal?.addEventListener('abort', this.#abort, { once: true });
  }

  end(): void {
    this.#stopTimer();
    this.#options.signal?.removeEventListener('abort', this.#abort);
  }

  /** Throws StaleConnection if the call can be attempted again. */
  async attempt(
    agent: Agent,
    { host, port, serverName }: WebhookAddress,
    path: string,
    headers: OutgoingHttpHeaders,
    body: Buffer,
  ): Promise<Buffer> {
    if (this.#abortError) throw this.#abortError;
    const sni = serverName === undefined ? {} : { servername: serverName };
    const request = httpsRequest({
      agent,
      method: 'POST',
      host: canonicalHost(host),
      port,
      path,
      headers,
      ...sni,
    });
    // Node adds `Connection: keep-alive`, which HTTP/1.1 does not need.
    request.removeHeader('connection');
    this.#request = request;
    try {
      const response = await sendAndAwaitResponse(request, body);
      return await this.#readSuccess(response);
    } catch (error) {
      if (this.#abortError) throw this.#abortError;
      if (error instanceof WebhookCallError) throw error;
      if (request.reusedSocket && !this.#isReadingBody) throw new StaleConnection();
      const reason = connectionErrorText(error as Error, { host, port: String(port) });
      throw this.#newError(reason);
    } finally {
      this.#isReadingBody = false;
    }
  }

  /** The body of a successful response. Throws WebhookCallError for a redirect or an error status. */
  async #readSuccess(response: IncomingMessage): Promise<Buffer> {
    const { statusCode = 0, headers } = response;
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      response.destroy();
      throw this.#newError(`answered by a redirect (${statusCode}), which is not followed`);
    }
    this.#isReadingBody = true;
    const received = await readResponseBody(response);
    const body = headers['content-encoding'] === 'gzip' ? await gunzipBody(received) : received;
    const problem = responseErrorMessage(statusCode, headers['content-type'] ?? '', body);
    if (problem !== undefined) throw new WebhookCallError(problem, statusCode);
    return body;
  }

  readonly #abort = () => {
    this.#abortError ??= this.#newError('context deadline exceeded');
    this.#request?.destroy(this.#abortError);
  };

  #newError(reason: string): WebhookCallError {
    return new WebhookCallError(
      this.#isReadingBody ? bodyReadMessage(reason) : `${this.#description}: ${reason}`,
      unreachableStatusCode,
    );
  }
}

const bodyReadMessage = (reason: string) =>
  `unexpected error when reading response body. Please retry. Original error: ${reason}`;

const responseTooLarge = () =>
  new WebhookCallError(
    bodyReadMessage(`the answer is longer than ${maxResponseBytes} bytes`),
    unreachableStatusCode,
  );

function sendAndAwaitResponse(request: ClientRequest, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.once('response', resolve);
    request.end(body);
  });
}

async function readResponseBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop destroys the connection.
    if (length > maxResponseBytes) throw responseTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function gunzipBody(body: Buffer): Promise<Buffer> {
  try {
    return await promisify(gunzip)(body, { maxOutputLength: maxResponseBytes });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge
      ? responseTooLarge()
      : new WebhookCallError(bodyReadMessage('gzip: invalid header'), unreachableStatusCode);
  }
}
