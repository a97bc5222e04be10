// HTTP requests to an API server, on connections that are kept alive.
import * as http from 'node:http';
import * as https from 'node:https';
import { orchVersion } from '../../base/version.ts';
import { serverVerification } from '../../pki/ca-bundle.ts';
import type { ClusterAccess } from './access.ts';

/** The user and groups that the server shall impersonate. */
export interface Impersonation {
  readonly user: string;
  readonly groups: readonly string[];
}

export interface OutgoingRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string;
  /** How long the connection may be idle. Default: as long as it is open. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export class HttpClient {
  readonly #access: ClusterAccess;
  readonly #agent: http.Agent;
  /** The module that matches the protocol of the URL. */
  readonly #module: typeof http | typeof https;

  constructor(access: ClusterAccess, { maxSockets }: { readonly maxSockets: number }) {
    this.#access = access;
    const { caCertificate, credentials, serverName, skipTlsVerify } = access;
    if (new URL(access.url).protocol === 'https:') {
      this.#module = https;
      this.#agent = new https.Agent({
        keepAlive: true,
        maxSockets,
        ...serverVerification,
        rejectUnauthorized: !skipTlsVerify,
        ...(caCertificate !== undefined && { ca: caCertificate }),
        ...(serverName !== undefined && { servername: serverName }),
        ...(credentials && 'cert' in credentials && credentials),
      });
    } else {
      this.#module = http;
      this.#agent = new http.Agent({ keepAlive: true, maxSockets });
    }
  }

  /** Resolves once the head of the response has arrived. */
  send({ method, path, headers, body, timeoutMs, signal }: OutgoingRequest): Promise<http.IncomingMessage> {
    const url = `${this.#access.url.replace(/\/+$/, '')}${path}`;
    return new Promise((resolve, reject) => {
      const request = this.#module.request(
        url,
        {
          method,
          agent: this.#agent,
          headers: {
            accept: 'application/json',
            'user-agent': `orch/${orchVersion}`,
            // Node sends no length for DELETE by itself.
            ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
            ...authorization(this.#access),
            ...headers,
          },
          ...(signal && { signal }),
        },
        resolve,
      );
      if (timeoutMs !== undefined) {
        request.setTimeout(timeoutMs, () => {
          request.destroy(new Error(`no response within ${timeoutMs / 1000} seconds`));
        });
      }
      request.on('error', reject);
      request.end(body);
    });
  }

  /** Closes idle connections, and those of open requests. */
  close(): void {
    this.#agent.destroy();
  }
}

/** The text of a body of at most `maxBytes`. */
export async function readText(response: http.IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error('the response is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

export function impersonationHeaders(impersonated: Impersonation | undefined): http.OutgoingHttpHeaders {
  if (!impersonated) return {};
  const { user, groups } = impersonated;
  return { 'impersonate-user': user, ...(groups.length > 0 && { 'impersonate-group': [...groups] }) };
}

function authorization({ credentials }: ClusterAccess): Record<string, string> {
  if (!credentials || 'cert' in credentials) return {};
  if ('token' in credentials) return { authorization: `Bearer ${credentials.token}` };
  const pair = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
  return { authorization: `Basic ${pair}` };
}
