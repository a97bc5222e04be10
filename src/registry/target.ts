// The target of a request: a resource, and which of its objects.
import type { ServedResource } from '../kind/registry.ts';

/** A collection, one object, or a subresource of it. ServedResource: a resource in one served version. */
export interface Target {
  readonly resource: ServedResource;
  /** '' for cluster-scoped resources, and for collections in all namespaces. */
  readonly namespace: string;
  /** '' for a collection. */
  readonly name: string;
  /** '' for the object itself. */
  readonly subresource: string;
}

/** The key of the object in the store. */
export function keyOf(target: Target): string {
  return target.resource.key(target.namespace, target.name);
}
