// API aggregation: sends a request that originates in this server, such as a probe or a discovery request, to an
// aggregated API server.
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { serverVerification } from '../pki/ca-bundle.ts';
import type { KeyPair } from '../pki/certificates.ts';
import { type Backend, connectionErrorText, requestBackend } from '../transport/proxy/backend.ts';
import type { ServiceResolver } from '../webhook/service-resolver.ts';
import type { RemoteServer } from './remote-server.ts';

/** The parts of this server that requests to aggregated API servers need. */
export interface RemoteParts {
  readonly clock: Clock;
  readonly addresses: ServiceResolver;
  /** The client certificate that this server presents; undefined if it has none. */
  clientCertificate(): KeyPair | undefined;
}

export interface RemoteRequest {
  /** Default: GET. */
  readonly method?: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal;
  readonly timeoutMs: number;
  /** 0 does not read the body. */
  readonly maxResponseBytes: number;
}

export interface RemoteResponse {
  readonly code: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Resolves the Service of an APIService to an endpoint. Throws ServiceResolutionError, InvalidCABundle. */
export function backendOf(parts: RemoteParts, remote: RemoteServer): Backend {
  const { namespace, service: name, port } = remote;
  const endpoint = parts.addresses.resolve({ namespace, name, port });
  return {
    scheme: 'https',
    host: endpoint.host,
    port: String(endpoint.port),
    tls: {
      ...serverVerification,
      secureContext: remote.secureContext(parts.clientCertificate()),
      servername: remote.serverName,
      rejectUnauthorized: remote.verifiesCertificate,
    },
  };
}

/** The server did not respond. The message is that of Go's HTTP client, because APIService conditions contain it. */
export class NoResponse extends Error {}

/** Throws NoResponse if there is no complete response, also after an abort. */
export async function sendRemote(
  backend: Backend,
  request: RemoteRequest,
  clock: Clock,
): Promise<RemoteResponse> {
  const { method = 'GET', path, headers, body: requestBody, signal, timeoutMs, maxResponseBytes } = request;
  const outgoing = requestBackend(backend, { method, path, headers }, clock);
  let timeoutError: NoResponse | undefined;
  let isConnected = false;
  outgoing.once('socket', (socket) => {
    socket.once('secureConnect', () => {
      isConnected = true;
    });
  });
  const stopTimer = clock.after(timeoutMs, () => {
    const stage = isConnected ? '' : ' while waiting for connection';
    timeoutError = new NoResponse(
      `net/http: request canceled${stage} (Client.Timeout exceeded while awaiting headers)`,
    );
    outgoing.destroy(timeoutError);
  });
  const cancel = () => outgoing.destroy(new Error('the request was cancelled'));
  signal?.addEventListener('abort', cancel);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on('error', reject);
      if (signal?.aborted) cancel();
      outgoing.once('response', resolve);
      outgoing.once('upgrade', (_, socket) => socket.destroy(new Error('unexpected upgrade')));
      outgoing.end(requestBody);
    });
    const body = maxResponseBytes === 0 ? Buffer.alloc(0) : await readBody(response, maxResponseBytes);
    return { code: response.statusCode ?? 0, headers: response.headers, body };
  } catch (error) {
    throw timeoutError ?? new NoResponse(connectionErrorText(error as Error, backend));
  } finally {
    stopTimer();
    signal?.removeEventListener('abort', cancel);
    outgoing.destroy();
  }
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new NoResponse(`the response is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
