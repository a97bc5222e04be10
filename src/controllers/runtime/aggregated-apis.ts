// Aggregated APIs as controllers use them: resources whose objects another API server stores.
import type { ObjectMetadata } from '../../kind/api-object.ts';
import type { User } from '../../request/user.ts';

export interface AggregatedApis {
  /** Whether another server serves this `apiVersion`. */
  serves(apiVersion: string): boolean;
  /** Discovery of the namespaced resources that support delete. */
  namespacedResources(): AggregatedDiscovery;
  /** GET of an object or collection that another server serves. Throws ApiError with the messages of client-go. */
  get(target: AggregatedTarget, request: AggregatedRequest): Promise<unknown>;
}

/** What a GET reads: `/apis/GROUP/VERSION/namespaces/NAMESPACE/RESOURCE/NAME/SUBRESOURCE?QUERY`. */
export interface AggregatedTarget {
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly name?: string;
  readonly subresource?: string;
  readonly query?: Readonly<Record<string, string>>;
}

export interface AggregatedDiscovery {
  /** Each resource in its preferred version. */
  readonly resources: readonly AggregatedResource[];
  /** Group versions whose discovery document is missing or stale. */
  readonly undiscovered: readonly string[];
}

export interface AggregatedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Deletes all objects in a namespace, with deletecollection if the server supports it. */
  deleteAll(namespace: string, request: AggregatedRequest): Promise<void>;
  /** Yields the metadata of all objects in a namespace; nothing if the resource does not support list. */
  list(namespace: string, request: AggregatedRequest): AsyncIterable<ObjectMetadata>;
}

/** The user on whose behalf this server sends a request, and its cancellation. */
export interface AggregatedRequest {
  readonly user: User;
  readonly signal: AbortSignal;
}
