// An API server as commands use it: small JSON requests, and errors that say what to do.
import { isObject, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';
import { JsonSyntaxError, parseJson } from '../../codec/json/parse.ts';
import { CommandError } from '../command.ts';
import type { ClusterAccess } from './access.ts';
import {
  HttpClient,
  type Impersonation,
  impersonationHeaders,
  type OutgoingRequest,
  readText,
} from './http-client.ts';

export interface ApiResponse {
  readonly code: number;
  /** The parsed JSON body; undefined for other content. */
  readonly body: JsonObject | undefined;
}

/** Limit of a response body, larger than any object or discovery document. */
const maxBodyBytes = 64 << 20;
const timeoutMs = 30_000;

/** Keeps connections alive until it is closed. */
export class Connection {
  readonly #url: string;
  readonly #client: HttpClient;

  constructor(access: ClusterAccess) {
    this.#url = access.url;
    this.#client = new HttpClient(access, { maxSockets: 8 });
  }

  get(path: string): Promise<ApiResponse> {
    return this.#request({ method: 'GET', path });
  }

  /** POSTs an object, optionally with impersonation. */
  post(path: string, object: JsonObject, as?: Impersonation): Promise<ApiResponse> {
    const headers = { 'content-type': 'application/json', ...impersonationHeaders(as) };
    return this.#request({ method: 'POST', path, headers, body: JSON.stringify(object) });
  }

  /** PATCHes an object with a JSON merge patch. */
  mergePatch(path: string, patch: JsonObject): Promise<ApiResponse> {
    const headers = { 'content-type': 'application/merge-patch+json' };
    return this.#request({ method: 'PATCH', path, headers, body: JSON.stringify(patch) });
  }

  close(): void {
    this.#client.close();
  }

  async #request(request: OutgoingRequest): Promise<ApiResponse> {
    try {
      const response = await this.#client.send({ ...request, timeoutMs });
      return { code: response.statusCode ?? 0, body: parseBody(await readText(response, maxBodyBytes)) };
    } catch (error) {
      throw new CommandError(connectionErrorMessage(this.#url, error as Error));
    }
  }
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
