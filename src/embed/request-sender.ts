// Sends the requests of one user to the server, and turns a Status into the error that it describes.
import type { IncomingMessage } from 'node:http';
import type { ClusterAccess } from '../cli/cluster/access.ts';
import {
  HttpClient,
  type Impersonation,
  impersonationHeaders,
  type OutgoingRequest,
  readText,
} from '../cli/cluster/http-client.ts';
import { ApiError, type WireStatus } from '../errors/status.ts';
import { type DiscoveredResource, RestMapping } from './rest-mapping.ts';

export class RequestSender {
  readonly mapping = new RestMapping(async (path) => {
    const { resources } = await this.send<{ resources: DiscoveredResource[] }>({ method: 'GET', path });
    return resources;
  });
  readonly #http: HttpClient;
  readonly #impersonated: Impersonation | undefined;

  constructor(access: ClusterAccess, impersonated: Impersonation | undefined) {
    // Watches keep a connection each.
    this.#http = new HttpClient(access, { maxSockets: Number.POSITIVE_INFINITY });
    this.#impersonated = impersonated;
  }

  /** Resolves with the JSON of the response. */
  async send<T>(request: OutgoingRequest): Promise<T> {
    return JSON.parse(await readBody(await this.open(request))) as T;
  }

  /** As send, for a response that is read as it arrives. */
  async open(request: OutgoingRequest): Promise<IncomingMessage> {
    const headers = { ...impersonationHeaders(this.#impersonated), ...request.headers };
    const response = await this.#http.send({ ...request, headers });
    const code = response.statusCode ?? 0;
    if (code >= 200 && code < 300) return response;
    throw toApiError(code, await readBody(response));
  }

  /** Closes the connections. Open requests fail. */
  close(): void {
    this.#http.close();
  }
}

const readBody = (response: IncomingMessage) => readText(response, Number.POSITIVE_INFINITY);

function toApiError(code: number, text: string): ApiError {
  try {
    const status = JSON.parse(text) as WireStatus;
    if (status.kind === 'Status') return statusError(status);
  } catch {
    // Not JSON: the text is the message.
  }
  return new ApiError(code, '', text);
}

export function statusError({ code = 500, reason = '', message = '', details }: WireStatus): ApiError {
  return new ApiError(code, reason, message, details);
}
