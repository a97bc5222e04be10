// The client of an embedded server: requests over its listener, with admission, authorization and errors as for every
// other client.
import type { ApiObject } from '../kind/api-object.ts';
import type { CachedInformer, CacheHandlers } from './cached-informer.ts';
import type { ObjectEvent } from './object-events.ts';
import type { RequestSender } from './request-sender.ts';
import {
  type ApplyParameters,
  type DeleteParameters,
  type ListParameters,
  type ObjectFilter,
  type ObjectList,
  type ObjectName,
  type PatchParameters,
  ResourceClient,
  type TypedObject,
  type WatchParameters,
  type WriteParameters,
} from './resource-client.ts';

/** A kind, by its API version. */
export interface KindName {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Sends requests as one user. Each method is that of `ResourceClient` for the kind in its first argument. */
export class ApiClient {
  readonly #sender: RequestSender;

  constructor(sender: RequestSender) {
    this.#sender = sender;
  }

  /** The objects of one kind: `client.of<Deployment>('apps/v1', 'Deployment')`. */
  of<T extends TypedObject = ApiObject>(apiVersion: string, kind: string): ResourceClient<T> {
    return new ResourceClient<T>(this.#sender, apiVersion, kind);
  }

  get<T extends TypedObject = ApiObject>(reference: KindName & ObjectName): Promise<T> {
    return this.#ofKind<T>(reference).get(reference);
  }

  list<T extends TypedObject = ApiObject>(request: KindName & ListParameters): Promise<ObjectList<T>> {
    const { apiVersion, kind, ...parameters } = request;
    return this.of<T>(apiVersion, kind).list(parameters);
  }

  watch<T extends TypedObject = ApiObject>(
    request: KindName & WatchParameters,
  ): AsyncGenerator<ObjectEvent<T>, void, undefined> {
    const { apiVersion, kind, ...parameters } = request;
    return this.of<T>(apiVersion, kind).watch(parameters);
  }

  create<T extends TypedObject = ApiObject>(
    object: NoInfer<T> & KindName,
    parameters?: WriteParameters,
  ): Promise<NoInfer<T>> {
    return this.#ofKind<T>(object).create(object, parameters);
  }

  update<T extends TypedObject = ApiObject>(
    object: NoInfer<T> & KindName,
    parameters?: WriteParameters,
  ): Promise<NoInfer<T>> {
    return this.#ofKind<T>(object).update(object, parameters);
  }

  updateStatus<T extends TypedObject = ApiObject>(
    object: NoInfer<T> & KindName,
    parameters?: WriteParameters,
  ): Promise<NoInfer<T>> {
    return this.#ofKind<T>(object).updateStatus(object, parameters);
  }

  patch<T extends TypedObject = ApiObject>(
    reference: KindName & ObjectName,
    patch: object,
    parameters?: PatchParameters,
  ): Promise<T> {
    return this.#ofKind<T>(reference).patch(reference, patch, parameters);
  }

  apply<T extends TypedObject = ApiObject>(
    configuration: NoInfer<T> & KindName,
    parameters?: ApplyParameters,
  ): Promise<NoInfer<T>> {
    return this.#ofKind<T>(configuration).apply(configuration, parameters);
  }

  delete(reference: KindName & ObjectName, parameters?: DeleteParameters): Promise<void> {
    return this.#ofKind(reference).delete(reference, parameters);
  }

  deleteCollection(request: KindName & ObjectFilter, parameters?: DeleteParameters): Promise<void> {
    const { apiVersion, kind, ...filter } = request;
    return this.of(apiVersion, kind).deleteCollection(filter, parameters);
  }

  informer<T extends TypedObject = ApiObject>(
    request: KindName & ObjectFilter,
    handlers?: CacheHandlers<T>,
  ): CachedInformer<T> {
    const { apiVersion, kind, ...filter } = request;
    return this.of<T>(apiVersion, kind).informer(handlers, filter);
  }

  #ofKind<T extends TypedObject = ApiObject>({ apiVersion, kind }: KindName): ResourceClient<T> {
    return this.of<T>(apiVersion, kind);
  }
}
