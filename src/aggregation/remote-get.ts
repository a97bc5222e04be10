// API aggregation: a GET request of a controller to an aggregated API server.
import type { AggregatedRequest, AggregatedTarget } from '../controllers/runtime/aggregated-apis.ts';
import { serverResponseError } from '../errors/server-response.ts';
import { ApiError, type StatusReason } from '../errors/status.ts';
import { InvalidCABundle } from '../pki/ca-bundle.ts';
import { authorityOf } from '../transport/proxy/backend.ts';
import { ServiceResolutionError } from '../webhook/service-resolver.ts';
import { identityHeadersFor } from './identity.ts';
import {
  backendOf,
  NoResponse,
  type RemoteParts,
  type RemoteResponse,
  sendRemote,
} from './remote-request.ts';
import type { RemoteServer } from './remote-server.ts';

const timeoutMs = 30_000;
/** Metrics of about 10,000 pods. It limits how long JSON.parse of a response blocks the event loop. */
const maxResponseBytes = 8 * 1024 * 1024;

/** The body of the response. Throws ApiError. */
export async function getRemote(
  parts: RemoteParts,
  remote: RemoteServer,
  target: AggregatedTarget,
  request: AggregatedRequest,
): Promise<unknown> {
  const { code, body } = await send(parts, remote, target, request);
  const text = body.toString();
  const parsed = parseJson(text);
  if (code === 200 && parsed !== undefined) return parsed;
  throw statusError(code, parsed) ?? serverResponseError(code === 200 ? 500 : code, 'get', target, text);
}

/** A server that cannot be reached counts as unavailable, as through the proxy of the aggregation layer. */
async function send(
  parts: RemoteParts,
  remote: RemoteServer,
  target: AggregatedTarget,
  { user, signal }: AggregatedRequest,
): Promise<RemoteResponse> {
  try {
    const backend = backendOf(parts, remote);
    const headers = {
      ...identityHeadersFor(user, { withUid: false }),
      host: authorityOf(backend),
      accept: 'application/json',
    };
    const options = { path: pathOf(target), headers, signal, timeoutMs, maxResponseBytes };
    return await sendRemote(backend, options, parts.clock);
  } catch (error) {
    const isUnreachable =
      error instanceof NoResponse ||
      error instanceof ServiceResolutionError ||
      error instanceof InvalidCABundle;
    if (!isUnreachable) throw error;
    throw serverResponseError(503, 'get', target);
  }
}

function pathOf({
  group,
  version,
  namespace,
  resource,
  name,
  subresource,
  query = {},
}: AggregatedTarget): string {
  const segments = ['apis', group, version, 'namespaces', namespace, resource, name, subresource];
  const path = segments
    .flatMap((segment) => (segment === undefined ? [] : encodeURIComponent(segment)))
    .join('/');
  const parameters = Object.entries(query).filter(([, value]) => value !== '');
  return parameters.length === 0 ? `/${path}` : `/${path}?${new URLSearchParams(parameters)}`;
}

/** Undefined if the text is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error of a response with a Status; undefined for other responses. */
function statusError(code: number, body: unknown): ApiError | undefined {
  const { kind, message, reason } = (body ?? {}) as Record<string, unknown>;
  if (kind !== 'Status' || typeof message !== 'string' || message === '') return undefined;
  return new ApiError(code, (typeof reason === 'string' ? reason : '') as StatusReason, message);
}
