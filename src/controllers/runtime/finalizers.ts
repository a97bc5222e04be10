// Removes a finalizer from the metadata of an object that a controller updates.
import type { ObjectMetadata } from '../../kind/api-object.ts';

export function removeFinalizer(metadata: Pick<ObjectMetadata, 'finalizers'>, finalizer: string): void {
  const remaining = (metadata.finalizers ?? []).filter((name) => name !== finalizer);
  if (remaining.length > 0) metadata.finalizers = remaining;
  else delete metadata.finalizers;
}
