// Status strategy: restores metadata on writes to the status subresource.

import type { ObjectMetadata } from '../api-object.ts';

const restoredFields = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

/** Restores the metadata that a write to `status` must not change (upstream: metav1.ResetObjectMetaForStatus). */
export function resetObjectMetaForStatus(meta: ObjectMetadata, old: ObjectMetadata): void {
  for (const field of restoredFields) delete meta[field];
  const { labels, annotations, finalizers, ownerReferences } = old;
  Object.assign(meta, {
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(finalizers && { finalizers }),
    ...(ownerReferences && { ownerReferences }),
  });
}
