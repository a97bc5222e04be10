// API aggregation: a client that lists and deletes the objects of one resource of an aggregated API server.
import type { AggregatedRequest, AggregatedResource } from '../controllers/runtime/aggregated-apis.ts';
import type { ObjectMetadata } from '../kind/api-object.ts';
import { authorityOf } from '../transport/proxy/backend.ts';
import { identityHeadersFor } from './identity.ts';
import { backendOf, type RemoteParts, type RemoteResponse, sendRemote } from './remote-request.ts';
import type { RemoteServer } from './remote-server.ts';

/** A resource of an aggregated API server, with the verbs that its discovery lists. */
export interface RemoteResourceName {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly verbs: readonly string[];
}

const timeoutMs = 30_000;
/** Limits how long JSON.parse of a response blocks the event loop. */
const maxResponseBytes = 2 * 1024 * 1024;
const pageSize = 250;
/** Ends a list whose server always returns another continue token. */
const maxPages = 10_000;
const maxConcurrentDeletes = 16;

/** The aggregated API server returned an error, or a response that is not JSON. */
class RemoteApiError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export class RemoteResourceClient implements AggregatedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly #verbs: readonly string[];
  readonly #parts: RemoteParts;
  readonly #remote: RemoteServer;

  constructor(
    parts: RemoteParts,
    remote: RemoteServer,
    { group, version, resource, verbs }: RemoteResourceName,
  ) {
    this.group = group;
    this.version = version;
    this.resource = resource;
    this.#verbs = verbs;
    this.#parts = parts;
    this.#remote = remote;
  }

  async deleteAll(namespace: string, request: AggregatedRequest): Promise<void> {
    if (this.#verbs.includes('deletecollection')) {
      const { code, body } = await this.#send('DELETE', this.#path(namespace), request);
      if (code < 300) return;
      // The server has no deletecollection (405) or does not know the resource (404): list and delete one by one.
      if (code !== 404 && code !== 405) throw responseError(code, body);
    }
    if (!this.#verbs.includes('list')) return;
    for await (const page of this.#pages(namespace, request)) {
      for (let start = 0; start < page.length; start += maxConcurrentDeletes) {
        const batch = page.slice(start, start + maxConcurrentDeletes);
        await Promise.all(batch.map(({ name = '' }) => this.#delete(namespace, name, request)));
      }
    }
  }

  async *list(namespace: string, request: AggregatedRequest): AsyncGenerator<ObjectMetadata> {
    if (!this.#verbs.includes('list')) return;
    for await (const page of this.#pages(namespace, request)) yield* page;
  }

  async #delete(namespace: string, name: string, request: AggregatedRequest): Promise<void> {
    const path = `${this.#path(namespace)}/${encodeURIComponent(name)}`;
    const { code, body } = await this.#send('DELETE', path, request);
    // 404: another client has deleted it concurrently.
    if (code >= 300 && code !== 404) throw responseError(code, body);
  }

  /** The metadata of all objects, page by page. */
  async *#pages(namespace: string, request: AggregatedRequest): AsyncGenerator<readonly ObjectMetadata[]> {
    let continueToken = '';
    for (let page = 0; page < maxPages; page++) {
      const query = new URLSearchParams({
        limit: String(pageSize),
        ...(continueToken && { continue: continueToken }),
      });
      const { code, body } = await this.#send('GET', `${this.#path(namespace)}?${query}`, request);
      // A resource that is not served has no objects.
      if (code === 404 || code === 405) return;
      if (code >= 300) throw responseError(code, body);
      const { metadata, items } = parseResponse(body);
      yield Array.isArray(items)
        ? items.flatMap((item: { metadata?: ObjectMetadata }) => item?.metadata ?? [])
        : [];
      continueToken = typeof metadata?.continue === 'string' ? metadata.continue : '';
      if (continueToken === '') return;
    }
  }

  #path(namespace: string): string {
    const root = this.group === '' ? `/api/${this.version}` : `/apis/${this.group}/${this.version}`;
    return `${root}/namespaces/${namespace}/${this.resource}`;
  }

  async #send(method: string, path: string, { user, signal }: AggregatedRequest): Promise<RemoteResponse> {
    const backend = backendOf(this.#parts, this.#remote);
    const headers = {
      ...identityHeadersFor(user, { withUid: false }),
      host: authorityOf(backend),
      accept: 'application/json',
      ...(method === 'DELETE' && { 'content-type': 'application/json' }),
    };
    const body = method === 'DELETE' ? backgroundDeleteOptions : undefined;
    const options = { method, path, headers, body, signal, timeoutMs, maxResponseBytes };
    return sendRemote(backend, options, this.#parts.clock);
  }
}

const backgroundDeleteOptions = JSON.stringify({
  kind: 'DeleteOptions',
  apiVersion: 'v1',
  propagationPolicy: 'Background',
});

interface ListResponse {
  readonly message?: unknown;
  readonly metadata?: { readonly continue?: unknown };
  readonly items?: unknown;
}

function parseResponse(body: Buffer): ListResponse {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    throw new RemoteApiError(200, 'the answer is not JSON');
  }
}

const maxMessageLength = 1_000;

/** The error of a response, with the message of its Status if it has one. */
function responseError(code: number, body: Buffer): RemoteApiError {
  let message: unknown;
  try {
    ({ message } = parseResponse(body));
  } catch {
    message = undefined;
  }
  const text = typeof message === 'string' && message !== '' ? message : `answered with ${code}`;
  return new RemoteApiError(code, text.slice(0, maxMessageLength));
}
