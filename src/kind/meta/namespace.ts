// The namespace of an object in a request (upstream: EnsureObjectNamespaceMatchesRequestNamespace).

import { badRequest } from '../../errors/catalogue.ts';
import type { ApiObject } from '../api-object.ts';

/** Sets the object's namespace to that of the request's path, and throws 400 where the object has another. */
export function ensureNamespaceMatches(
  { namespace }: { readonly namespace: string },
  { metadata }: ApiObject,
): void {
  if (namespace === '') delete metadata.namespace;
  else if (metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (namespace) metadata.namespace = namespace;
}
