import type { ObjectMeta } from '../kind/definition.ts';
import type { User } from '../request/user.ts';
import { authorityOf } from '../transport/proxy/backend.ts';
import { identityHeadersFor } from './identity.ts';
import { askRemote, backendOf, type RemoteAnswer, type RemoteParts } from './remote-request.ts';
import type { RemoteServer } from './remote-server.ts';

export interface RemoteResourceName {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly verbs: readonly string[];
}

/** Who asks, and until when that is of interest. */
export interface RemoteAsker {
  readonly user: User;
  readonly signal: AbortSignal;
}

const patience = 30_000;
/** Parsed in one go, it takes as long as others may wait for their turn. */
const longest = 2 * 1024 * 1024;
const perPage = 250;
/** More pages than any list has: whoever sends on and on is not followed. */
const mostPages = 10_000;
const atOnce = 16;

/** Another server has refused, or cannot be understood. */
export class RemoteRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The objects of a kind that another server keeps. */
export class RemoteObjects {
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

  /** Deletes all that are in a namespace, at once where the server can do that. */
  async deleteAll(namespace: string, asker: RemoteAsker): Promise<void> {
    if (this.#verbs.includes('deletecollection')) {
      const { code, body } = await this.#ask('DELETE', this.#path(namespace), asker);
      if (code < 300) return;
      if (code !== 404 && code !== 405) throw refusal(code, body);
    }
    if (!this.#verbs.includes('list')) return;
    for await (const page of this.#pages(namespace, asker)) {
      for (let start = 0; start < page.length; start += atOnce) {
        const some = page.slice(start, start + atOnce);
        await Promise.all(some.map(({ name = '' }) => this.#delete(namespace, name, asker)));
      }
    }
  }

  /** The metadata of those that are in a namespace; nothing where the server cannot list them. */
  async *list(namespace: string, asker: RemoteAsker): AsyncGenerator<ObjectMeta> {
    if (!this.#verbs.includes('list')) return;
    for await (const page of this.#pages(namespace, asker)) yield* page;
  }

  async #delete(namespace: string, name: string, asker: RemoteAsker): Promise<void> {
    const path = `${this.#path(namespace)}/${encodeURIComponent(name)}`;
    const { code, body } = await this.#ask('DELETE', path, asker);
    if (code >= 300 && code !== 404) throw refusal(code, body);
  }

  async *#pages(namespace: string, asker: RemoteAsker): AsyncGenerator<readonly ObjectMeta[]> {
    let token = '';
    for (let pages = 0; pages < mostPages; pages++) {
      const query = new URLSearchParams({ limit: String(perPage), ...(token && { continue: token }) });
      const { code, body } = await this.#ask('GET', `${this.#path(namespace)}?${query}`, asker);
      // What is not served has no objects.
      if (code === 404 || code === 405) return;
      if (code >= 300) throw refusal(code, body);
      const { metadata, items } = parsed(body);
      yield Array.isArray(items)
        ? items.flatMap((item: { metadata?: ObjectMeta }) => item?.metadata ?? [])
        : [];
      token = typeof metadata?.continue === 'string' ? metadata.continue : '';
      if (token === '') return;
    }
  }

  #path(namespace: string): string {
    const root = this.group === '' ? `/api/${this.version}` : `/apis/${this.group}/${this.version}`;
    return `${root}/namespaces/${namespace}/${this.resource}`;
  }

  async #ask(method: string, path: string, { user, signal }: RemoteAsker): Promise<RemoteAnswer> {
    const backend = backendOf(this.#parts, this.#remote);
    const headers = {
      ...identityHeadersFor(user, false),
      host: authorityOf(backend),
      accept: 'application/json',
      ...(method === 'DELETE' && { 'content-type': 'application/json' }),
    };
    const body = method === 'DELETE' ? inBackground : undefined;
    const question = { method, path, headers, body, signal, patience, longest };
    return askRemote(backend, question, this.#parts.clock);
  }
}

const inBackground = JSON.stringify({
  kind: 'DeleteOptions',
  apiVersion: 'v1',
  propagationPolicy: 'Background',
});

interface Said {
  readonly message?: unknown;
  readonly metadata?: { readonly continue?: unknown };
  readonly items?: unknown;
}

function parsed(body: Buffer): Said {
  try {
    const said: unknown = JSON.parse(body.toString());
    return typeof said === 'object' && said !== null ? said : {};
  } catch {
    throw new RemoteRefusal(200, 'the answer is not JSON');
  }
}

const longestMessage = 1_000;

function refusal(code: number, body: Buffer): RemoteRefusal {
  let message: unknown;
  try {
    ({ message } = parsed(body));
  } catch {
    message = undefined;
  }
  const text = typeof message === 'string' && message !== '' ? message : `answered with ${code}`;
  return new RemoteRefusal(code, text.slice(0, longestMessage));
}
