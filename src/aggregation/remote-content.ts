// API aggregation: fetches discovery and OpenAPI of a group version from another server.
import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Dialect } from '../dialect/dialect.ts';
import { authorityOf } from '../transport/proxy/backend.ts';
import { aggregatedResources, type RemoteResource, resourcesInList } from './remote-discovery.ts';
import { type RemoteDescription, version2Of, version3AddressIn } from './remote-openapi.ts';
import { backendOf, type RemoteParts, type RemoteResponse, sendRemote } from './remote-request.ts';
import type { RemoteContent, RemoteServer } from './remote-server.ts';

const timeoutMs = 5_000;
/** JSON.parse of a response blocks the event loop: the limit bounds for how long. */
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
  question: DiscoveryRequest,
): Promise<RemoteContent> {
  const asker = new RemoteFetcher(parts, question);
  const [resources, description] = await Promise.all([
    fetchResources(asker, dialect, question),
    fetchOpenApi(asker, question),
  ]);
  return { resources, description };
}

class RemoteFetcher {
  readonly #parts: RemoteParts;
  readonly #question: DiscoveryRequest;

  constructor(parts: RemoteParts, question: DiscoveryRequest) {
    this.#parts = parts;
    this.#question = question;
  }

  get(path: string, accept: string): Promise<RemoteResponse> {
    const { remote, headers } = this.#question;
    const backend = backendOf(this.#parts, remote);
    const sent = { ...headers, host: authorityOf(backend), accept };
    return sendRemote(backend, { path, headers: sent, timeoutMs, maxResponseBytes }, this.#parts.clock);
  }
}

/** Aggregated discovery if the server supports it, else the APIResourceList of the version. */
async function fetchResources(
  asker: RemoteFetcher,
  dialect: Dialect,
  { group, version }: DiscoveryRequest,
): Promise<readonly RemoteResource[]> {
  const form = (of: string) =>
    `application/json;g=${dialect.groupName('apidiscovery')};v=${of};as=APIGroupDiscoveryList`;
  const root = group === '' ? '/api' : '/apis';
  const all = await asker.get(root, `${form('v2')},${form('v2beta1')}`);
  const isAggregated =
    all.code === 200 && (all.headers['content-type'] ?? '').includes('as=APIGroupDiscoveryList');
  const found = isAggregated ? aggregatedResources(parsed(all.body), group, version) : undefined;
  if (found) return found;
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const list = await asker.get(path, 'application/json');
  if (list.code !== 200) throw new Error(`answered with ${list.code} to what it serves`);
  return resourcesInList(parsed(list.body));
}

/** A server without OpenAPI is valid. */
async function fetchOpenApi(
  asker: RemoteFetcher,
  { remote, group, version }: DiscoveryRequest,
): Promise<RemoteDescription> {
  const name = group === '' ? `api/${version}` : `apis/${group}/${version}`;
  const settled = await Promise.allSettled([
    asker.get('/openapi/v3', 'application/json'),
    asker.get('/openapi/v2', 'application/json'),
  ]);
  const [third, second] = settled.map((one) =>
    one.status === 'fulfilled' && one.value.code === 200 ? one.value.body : Buffer.alloc(0),
  );
  const digest = createHash('sha256').update(third!).update(second!).digest('hex');
  const before = remote.content?.description;
  if (before?.digest === digest) return before;
  return {
    name,
    digest,
    address: version3AddressIn(parsed(third!), name),
    version2: await version2Of(parsed(second!), name),
  };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
