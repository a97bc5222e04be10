import type { ObjectMeta } from '../api-object.ts';

const written = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

/** Newer kinds let the status alone be written through `status`: their metadata stays as it was. */
export function keepMetadata(meta: ObjectMeta, old: ObjectMeta): void {
  for (const field of written) delete meta[field];
  const { labels, annotations, finalizers, ownerReferences } = old;
  Object.assign(meta, {
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(finalizers && { finalizers }),
    ...(ownerReferences && { ownerReferences }),
  });
}
