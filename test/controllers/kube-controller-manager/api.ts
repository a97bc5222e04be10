import { exchange, type Server } from '../../parity/client.ts';

/** The fields of objects that scenarios read. */
export interface AnyObject {
  apiVersion?: string;
  kind?: string;
  metadata: {
    name: string;
    namespace?: string;
    uid: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    finalizers?: string[];
    deletionTimestamp?: string;
    ownerReferences?: { kind: string; name: string; uid: string }[];
    managedFields?: { manager: string; operation: string; subresource?: string; fieldsV1?: unknown }[];
  };
  [field: string]: unknown;
}

/** The value at a path such as `status.conditions.0.type`. */
export function at(thing: unknown, path: string): unknown {
  let value = thing;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** The status of one of an object's conditions. */
export function condition(thing: AnyObject | undefined, type: string): string | undefined {
  const conditions = (at(thing, 'status.conditions') ?? []) as { type: string; status: string }[];
  return conditions.find((one) => one.type === type)?.status;
}

/** The path of a kind: `api/v1 pods`, `apis/apps/v1 deployments`. */
export type Kind = `${string} ${string}`;

export class Api {
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
  }

  create(kind: Kind, namespace: string, object: object): Promise<AnyObject> {
    return this.#must('POST', path(kind, namespace), object);
  }

  /** The object, or undefined if it does not exist. */
  async get(kind: Kind, namespace: string, name: string): Promise<AnyObject | undefined> {
    const { status, body } = await this.#send('GET', path(kind, namespace, name));
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(`${status} ${body}`);
    return JSON.parse(body) as AnyObject;
  }

  async list(kind: Kind, namespace = '', labelSelector = ''): Promise<AnyObject[]> {
    const query = labelSelector === '' ? '' : `?labelSelector=${encodeURIComponent(labelSelector)}`;
    const { items } = await this.#must('GET', `${path(kind, namespace)}${query}`);
    return items as AnyObject[];
  }

  patch(kind: Kind, namespace: string, name: string, change: object, subresource = ''): Promise<AnyObject> {
    const type = 'application/strategic-merge-patch+json';
    return this.#must('PATCH', path(kind, namespace, name, subresource), change, type);
  }

  replace(kind: Kind, namespace: string, name: string, object: object, subresource = ''): Promise<AnyObject> {
    return this.#must('PUT', path(kind, namespace, name, subresource), object);
  }

  post(kind: Kind, namespace: string, name: string, subresource: string, object: object): Promise<AnyObject> {
    return this.#must('POST', path(kind, namespace, name, subresource), object);
  }

  remove(kind: Kind, namespace: string, name: string, options: object = {}): Promise<AnyObject> {
    return this.#must('DELETE', path(kind, namespace, name), options);
  }

  async #must(method: string, to: string, object?: object, type?: string): Promise<AnyObject> {
    const { status, body } = await this.#send(method, to, object, type);
    if (status >= 300)
      throw new Error(`${method} ${to}: ${status} ${(JSON.parse(body) as AnyObject).message}`);
    return JSON.parse(body) as AnyObject;
  }

  #send(method: string, to: string, object?: object, type = 'application/json') {
    const headers: Record<string, string> = { authorization: `Bearer ${this.#server.token}` };
    if (!object) return exchange(this.#server, { method, path: to, headers });
    headers['content-type'] = type;
    return exchange(this.#server, { method, path: to, headers, body: Buffer.from(JSON.stringify(object)) });
  }
}

function path(kind: Kind, namespace: string, ...rest: string[]): string {
  const [version, plural] = kind.split(' ');
  const scope = namespace === '' ? [] : ['namespaces', namespace];
  return `/${[version, ...scope, plural, ...rest.filter((part) => part !== '')].join('/')}`;
}
