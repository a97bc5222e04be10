// An HTTP client for an API server.
import * as http from 'node:http';
import * as https from 'node:https';
import { orchVersion } from '../../base/version.ts';
import { isObject, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';
import { JsonSyntaxError, parseJson } from '../../codec/json/parse.ts';
import { serverVerification } from '../../pki/ca-bundle.ts';
import { CommandError } from '../command.ts';
import type { ClusterAccess } from './access.ts';

export interface ApiResponse {
  readonly code: number;
  /** The parsed JSON body; undefined for other content. */
  readonly body: JsonObject | undefined;
}

/** The user and groups that the server shall impersonate. */
export interface Impersonation {
  readonly user: string;
  readonly groups: readonly string[];
}

interface RequestContent {
  readonly headers: http.OutgoingHttpHeaders;
  readonly body: string;
}

/** Limit of a response body, larger than any object or discovery document. */
const maxBodyBytes = 64 << 20;
const timeoutMs = 30_000;

/** Keeps connections alive until it is closed. */
export class Connection {
  readonly #access: ClusterAccess;
  readonly #agent: http.Agent;
  /** The module that matches the protocol of the URL. */
  readonly #client: typeof http | typeof https;

  constructor(access: ClusterAccess) {
    this.#access = access;
    const { caCertificate, credentials, serverName, skipTlsVerify } = access;
    if (new URL(access.url).protocol === 'https:') {
      this.#client = https;
      this.#agent = new https.Agent({
        keepAlive: true,
        maxSockets: 8,
        ...serverVerification,
        rejectUnauthorized: !skipTlsVerify,
        ...(caCertificate !== undefined && { ca: caCertificate }),
        ...(serverName !== undefined && { servername: serverName }),
        ...(credentials && 'cert' in credentials && credentials),
      });
    } else {
      this.#client = http;
      this.#agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
    }
  }

  get(path: string): Promise<ApiResponse> {
    return this.#request('GET', path);
  }

  /** POSTs an object, optionally with impersonation. */
  post(path: string, object: JsonObject, as?: Impersonation): Promise<ApiResponse> {
    const headers = { 'content-type': 'application/json', ...impersonationHeaders(as) };
    return this.#request('POST', path, { headers, body: JSON.stringify(object) });
  }

  async #request(method: string, path: string, content?: RequestContent): Promise<ApiResponse> {
    const url = `${this.#access.url.replace(/\/+$/, '')}${path}`;
    const { code, text } = await this.#send(method, url, content).catch((error: Error) => {
      throw error instanceof CommandError
        ? error
        : new CommandError(connectionErrorMessage(this.#access.url, error));
    });
    return { code, body: parseBody(text) };
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(
    method: string,
    url: string,
    content: RequestContent | undefined,
  ): Promise<{ code: number; text: string }> {
    return new Promise((resolve, reject) => {
      const headers = {
        accept: 'application/json',
        'user-agent': `orch/${orchVersion}`,
        ...authorization(this.#access),
        ...content?.headers,
      };
      const request = this.#client.request(url, { method, agent: this.#agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > maxBodyBytes) request.destroy(new CommandError(`${url}: the response is too large`));
          else chunks.push(chunk);
        });
        response.on('error', reject);
        response.on('end', () => {
          resolve({ code: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
        });
      });
      request.setTimeout(timeoutMs, () => {
        request.destroy(new Error(`no response within ${timeoutMs / 1000} seconds`));
      });
      request.on('error', reject);
      request.end(content?.body);
    });
  }
}

function impersonationHeaders(impersonated: Impersonation | undefined): http.OutgoingHttpHeaders {
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

function parseBody(text: string): JsonObject | undefined {
  let value: JsonValue;
  try {
    ({ value } = parseJson(text));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
  return isObject(value) ? value : undefined;
}

function connectionErrorMessage(url: string, error: Error & { code?: string }): string {
  if (error.code === 'ECONNREFUSED') return `${url}: connection refused; is the server running?`;
  if (error.code === 'ENOTFOUND') return `${url}: no such host`;
  if (/CERT|SSL|TLS|SIGNATURE/.test(error.code ?? '')) {
    return `${url}: the serving certificate is not trusted (${error.message}); check certificate-authority-data in the kubeconfig`;
  }
  return `${url}: ${error.message || error.code}`;
}
