// Large objects and their requests, shared by the kinds of attacks.
import type { LoadClient, LoadRequest } from '../client.ts';
import { attacked } from '../users.ts';

export const configMaps = `/api/v1/namespaces/${attacked}/configmaps`;
export const jsonPatch = { 'content-type': 'application/json-patch+json' };
export const applyPatch = { 'content-type': 'application/apply-patch+yaml' };
export const asTable = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

/** `count` results of `make`. */
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Very many short keys without values. */
export const emptyKeys = (count: number) =>
  Object.fromEntries(times(count, (index) => [(index + 36 ** 3).toString(36), '']));

export const body = (object: object) => Buffer.from(JSON.stringify(object));

/** Sends a request that must succeed. */
export async function must(client: LoadClient, request: LoadRequest): Promise<void> {
  const { status, text } = await client.send(request);
  if (status >= 300) throw new Error(`${request.method} ${request.path}: ${status} ${text.slice(0, 300)}`);
}

/** Stores a large object without managedFields, which would exceed the size limit of etcd. */
export async function storeLarge(
  client: LoadClient,
  name: string,
  content: object,
  metadata: object = {},
): Promise<void> {
  await must(client, { method: 'POST', path: configMaps, body: body({ metadata: { name } }) });
  const large = { metadata: { name, managedFields: [{}], ...metadata }, ...content };
  await must(client, { method: 'PUT', path: `${configMaps}/${name}`, body: body(large) });
}

/** A body in which every request has a different number of eight digits, without serializing it again. */
export class NumberedBody {
  readonly #bytes: Buffer;
  readonly #offset: number;
  #next: number;

  /** The JSON of `object` has `00000000` where the number is. */
  constructor(object: object, first: number) {
    this.#bytes = body(object);
    this.#offset = this.#bytes.indexOf('00000000');
    this.#next = first * 1_000_000;
  }

  next(): Buffer {
    this.#bytes.write(String(this.#next++).padStart(8, '0'), this.#offset);
    return this.#bytes;
  }
}
