// Removes a finalizer from metadata.
import type { ObjectMetadata } from '../../kind/api-object.ts';

export function removeFinalizer(metadata: ObjectMetadata, finalizer: string): void {
  const kept = (metadata.finalizers ?? []).filter((each) => each !== finalizer);
  if (kept.length > 0) metadata.finalizers = kept;
  else delete metadata.finalizers;
}
