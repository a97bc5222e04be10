// The target of a request: a resource, and which of its objects.
import type { ServedResource } from '../kind/registry.ts';

/** A collection (name is '') or one object, or a subresource of it. */
export interface Target {
  readonly resource: ServedResource;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
}

export function keyOf(target: Target): string {
  return target.resource.key(target.namespace, target.name);
}
