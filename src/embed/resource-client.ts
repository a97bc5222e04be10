// The requests for objects of one kind.
import { badRequest } from '../errors/catalogue.ts';
import type { WireStatus } from '../errors/status.ts';
import { CachedInformer, type CacheHandlers } from './cached-informer.ts';
import { type ObjectEvent, readWatchEvents } from './object-events.ts';
import type { RequestSender } from './request-sender.ts';
import { type PathParts, pathOf } from './rest-mapping.ts';

/** What the client reads of an object. The types of @kubernetes/client-node fit. */
export interface TypedObject {
  apiVersion?: string;
  kind?: string;
  metadata?: { name?: string; namespace?: string; resourceVersion?: string; uid?: string };
}

export interface ObjectName {
  readonly name: string;
  /** Of namespaced kinds. */
  readonly namespace?: string | undefined;
}

/** Which objects of a kind. */
export interface ObjectFilter {
  /** By default all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface ListParameters extends ObjectFilter {
  readonly limit?: number;
  /** From an earlier page. */
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}

export interface ObjectList<T> {
  readonly resourceVersion: string;
  readonly items: T[];
  /** For the next page; undefined at the end. */
  readonly continue: string | undefined;
}

export interface WatchParameters extends ObjectFilter {
  /** Changes after this version. By default all objects come first, as ADDED. */
  readonly resourceVersion?: string;
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
  readonly timeoutSeconds?: number;
  /** Aborting it ends the watch with an error. */
  readonly signal?: AbortSignal;
}

export interface WriteParameters {
  readonly subresource?: string;
  readonly fieldManager?: string;
  readonly dryRun?: boolean;
  /** By default Strict: unknown and duplicate fields are errors. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
}

/** A JSON patch is an array of operations, the others are objects. */
type PatchType = 'merge' | 'strategic' | 'json';

export interface PatchParameters extends WriteParameters {
  /** By default `json` for an array, else `merge`. */
  readonly type?: PatchType;
}

export interface ApplyParameters extends WriteParameters {
  /** Takes over fields of other managers. */
  readonly force?: boolean;
}

export interface DeleteParameters {
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: boolean;
}

/** The field manager of writes that name none. */
const defaultFieldManager = 'orch-client';

const patchTypes: Readonly<Record<PatchType, string>> = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
};

export class ResourceClient<T extends TypedObject> {
  readonly #sender: RequestSender;
  readonly #apiVersion: string;
  readonly #kind: string;

  constructor(sender: RequestSender, apiVersion: string, kind: string) {
    this.#sender = sender;
    this.#apiVersion = apiVersion;
    this.#kind = kind;
  }

  async get({ name, namespace }: ObjectName): Promise<T> {
    return this.#sender.send<T>({ method: 'GET', path: await this.#path({ name, namespace }) });
  }

  async list(parameters: ListParameters = {}): Promise<ObjectList<T>> {
    const { namespace, ...query } = parameters;
    const path = await this.#path({ namespace }, query);
    const { metadata, items } = await this.#sender.send<ListResponse<T>>({ method: 'GET', path });
    return {
      resourceVersion: metadata.resourceVersion,
      // Items of built-in kinds have neither.
      items: items.map((item) => ({ apiVersion: this.#apiVersion, kind: this.#kind, ...item })),
      continue: metadata.continue || undefined,
    };
  }

  /** The iteration ends when the server ends the watch. An error event is thrown. */
  async *watch(parameters: WatchParameters = {}): AsyncGenerator<ObjectEvent<T>, void, undefined> {
    const { namespace, signal, ...query } = parameters;
    const parts = { ...query, watch: true, ...(query.sendInitialEvents && initialEventsMatch) };
    const path = await this.#path({ namespace }, parts);
    try {
      yield* readWatchEvents<T>(await this.#sender.open({ method: 'GET', path, signal }));
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  async create(object: T, parameters: WriteParameters = {}): Promise<T> {
    const { namespace } = object.metadata ?? {};
    const { subresource } = parameters;
    const name = subresource === undefined ? undefined : object.metadata?.name;
    await this.#requireNamespace(namespace);
    return this.#write('POST', { namespace, name, subresource }, this.#typed(object), parameters);
  }

  async update(object: T, parameters: WriteParameters = {}): Promise<T> {
    const parts = { ...this.#nameOf(object), subresource: parameters.subresource };
    return this.#write('PUT', parts, this.#typed(object), parameters);
  }

  async updateStatus(object: T, parameters: WriteParameters = {}): Promise<T> {
    return this.update(object, { ...parameters, subresource: 'status' });
  }

  async patch({ name, namespace }: ObjectName, patch: object, parameters: PatchParameters = {}): Promise<T> {
    const { type = Array.isArray(patch) ? 'json' : 'merge', ...options } = parameters;
    const parts = { name, namespace, subresource: options.subresource };
    return this.#write('PATCH', parts, patch, options, { contentType: patchTypes[type] });
  }

  /** Server-side apply. */
  async apply(configuration: T, parameters: ApplyParameters = {}): Promise<T> {
    const { force, ...options } = parameters;
    const parts = { ...this.#nameOf(configuration), subresource: options.subresource };
    const contentType = 'application/apply-patch+yaml';
    return this.#write('PATCH', parts, this.#typed(configuration), options, { contentType, force });
  }

  /** Deletes an object, or marks it for deletion while finalizers hold it. */
  async delete({ name, namespace }: ObjectName, parameters: DeleteParameters = {}): Promise<void> {
    await this.#delete({ name, namespace }, {}, parameters);
  }

  /** Deletes the objects that a list with the same filter returns, in one namespace. */
  async deleteCollection(filter: ObjectFilter = {}, parameters: DeleteParameters = {}): Promise<void> {
    const { namespace, ...query } = filter;
    await this.#requireNamespace(namespace);
    await this.#delete({ namespace }, query, parameters);
  }

  /** Lists and watches until it is stopped, with a cache of the objects. */
  informer(handlers: CacheHandlers<T> = {}, filter: ObjectFilter = {}): CachedInformer<T> {
    return new CachedInformer<T>(
      {
        list: () => this.list(filter),
        watch: (resourceVersion, signal) =>
          this.watch({ ...filter, resourceVersion, signal, allowWatchBookmarks: true }),
      },
      handlers,
    );
  }

  async #write(
    method: string,
    parts: PathParts,
    content: object,
    { subresource: _, dryRun, ...options }: WriteParameters,
    { contentType = 'application/json', force }: { contentType?: string; force?: boolean | undefined } = {},
  ): Promise<T> {
    const query = {
      fieldManager: defaultFieldManager,
      fieldValidation: 'Strict',
      ...options,
      ...(dryRun && { dryRun: 'All' }),
      ...(force && { force }),
    };
    return this.#sender.send<T>({
      method,
      path: await this.#path(parts, query),
      headers: { 'content-type': contentType },
      body: JSON.stringify(content),
    });
  }

  async #delete(parts: PathParts, query: Query, { dryRun, ...options }: DeleteParameters): Promise<void> {
    await this.#sender.send<WireStatus | T>({
      method: 'DELETE',
      path: await this.#path(parts, query),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...options, ...(dryRun && { dryRun: ['All'] }) }),
    });
  }

  async #path(parts: PathParts, query: Query = {}): Promise<string> {
    const resource = await this.#resource();
    if (parts.name !== undefined) await this.#requireNamespace(parts.namespace);
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) search.set(name, String(value));
    }
    return `${pathOf(this.#apiVersion, resource, parts)}${search.size > 0 ? `?${search}` : ''}`;
  }

  /** Objects may leave out the version and the kind: this client knows them. */
  #typed(object: T): object {
    return { ...object, apiVersion: this.#apiVersion, kind: this.#kind };
  }

  #nameOf({ metadata }: T): ObjectName {
    if (!metadata?.name) throw badRequest(`the ${this.#kind} has no name: set metadata.name`);
    return { name: metadata.name, namespace: metadata.namespace };
  }

  #resource() {
    return this.#sender.mapping.find(this.#apiVersion, this.#kind);
  }

  /** Only lists and watches are for all namespaces. */
  async #requireNamespace(namespace: string | undefined): Promise<void> {
    const { namespaced } = await this.#resource();
    if (namespaced && !namespace) throw badRequest(`${this.#kind} is namespaced: set the namespace`);
  }
}

/** The API requires it with sendInitialEvents. */
const initialEventsMatch = { resourceVersionMatch: 'NotOlderThan' };

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

interface ListResponse<T> {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly T[];
}
