// API aggregation: fetches discovery and OpenAPI of a group version from an aggregated API server.
import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Dialect } from '../dialect/dialect.ts';
import { authorityOf } from '../transport/proxy/backend.ts';
import { aggregatedResources, type RemoteResource, resourcesInList } from './remote-discovery.ts';
import { type RemoteOpenApi, version2Of, version3UrlIn } from './remote-openapi.ts';
import { backendOf, type RemoteParts, type RemoteResponse, sendRemote } from './remote-request.ts';
import type { RemoteContent, RemoteServer } from './remote-server.ts';

const timeoutMs = 5_000;
/** Limits how long JSON.parse of a response blocks the event loop. */
const maxResponseBytes = 2 * 1024 * 1024;

export interface DiscoveryRequest {
  readonly remote: RemoteServer;
  readonly group: string;
  readonly version: string;
  readonly headers: OutgoingHttpHeaders;
}

/** Throws if discovery fails; OpenAPI is optional. */
export async function fetchContent(
  parts: RemoteParts,
  dialect: Dialect,
  request: DiscoveryRequest,
): Promise<RemoteContent> {
  const fetcher = new RemoteFetcher(parts, request);
  const [resources, openApi] = await Promise.all([
    fetchResources(fetcher, dialect, request),
    fetchOpenApi(fetcher, request),
  ]);
  return { resources, openApi };
}

/** Sends the GET requests of one discovery. */
class RemoteFetcher {
  readonly #parts: RemoteParts;
  readonly #request: DiscoveryRequest;

  constructor(parts: RemoteParts, request: DiscoveryRequest) {
    this.#parts = parts;
    this.#request = request;
  }

  get(path: string, accept: string): Promise<RemoteResponse> {
    const { remote, headers } = this.#request;
    const backend = backendOf(this.#parts, remote);
    const requestHeaders = { ...headers, host: authorityOf(backend), accept };
    return sendRemote(
      backend,
      { path, headers: requestHeaders, timeoutMs, maxResponseBytes },
      this.#parts.clock,
    );
  }
}

/** Aggregated discovery if the server supports it, else the APIResourceList of the version. */
async function fetchResources(
  fetcher: RemoteFetcher,
  dialect: Dialect,
  { group, version }: DiscoveryRequest,
): Promise<readonly RemoteResource[]> {
  const mediaType = (discoveryVersion: string) =>
    `application/json;g=${dialect.groupName('apidiscovery')};v=${discoveryVersion};as=APIGroupDiscoveryList`;
  const root = group === '' ? '/api' : '/apis';
  const groupList = await fetcher.get(root, `${mediaType('v2')},${mediaType('v2beta1')}`);
  const isAggregated =
    groupList.code === 200 && (groupList.headers['content-type'] ?? '').includes('as=APIGroupDiscoveryList');
  const resources = isAggregated ? aggregatedResources(parseJson(groupList.body), group, version) : undefined;
  if (resources) return resources;
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const resourceList = await fetcher.get(path, 'application/json');
  if (resourceList.code !== 200) throw new Error(`answered with ${resourceList.code} to what it serves`);
  return resourcesInList(parseJson(resourceList.body));
}

/** A server may have no OpenAPI: a failed request counts as an empty document. */
async function fetchOpenApi(
  fetcher: RemoteFetcher,
  { remote, group, version }: DiscoveryRequest,
): Promise<RemoteOpenApi> {
  const name = group === '' ? `api/${version}` : `apis/${group}/${version}`;
  const settled = await Promise.allSettled([
    fetcher.get('/openapi/v3', 'application/json'),
    fetcher.get('/openapi/v2', 'application/json'),
  ]);
  const [version3Index, version2Document] = settled.map((result) =>
    result.status === 'fulfilled' && result.value.code === 200 ? result.value.body : Buffer.alloc(0),
  );
  // Unchanged documents keep their object: consumers compare it to detect changes.
  const digest = createHash('sha256').update(version3Index!).update(version2Document!).digest('hex');
  const previous = remote.content?.openApi;
  if (previous?.digest === digest) return previous;
  return {
    name,
    digest,
    url: version3UrlIn(parseJson(version3Index!), name),
    version2: await version2Of(parseJson(version2Document!), name),
  };
}

/** Undefined if the body is no JSON. */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
