// Views: subresources such as `scale` that represent their parent object as another kind (`Scale`).
import type { ApiObject } from '../kind/api-object.ts';
import type { SubresourceView } from '../kind/definition.ts';
import { decodeStored } from '../kind/storage/codec.ts';
import { convertToVersion } from '../kind/storage/convert-stored.ts';
import type { StoredObject } from '../store/store.ts';
import type { Target } from './target.ts';

/** The view of a stored parent, for a write. */
export function viewOfStored(target: Target, view: SubresourceView, stored: StoredObject): ApiObject {
  return viewOfParent(target, view, decodeStored(target.resource, stored), String(stored.revision));
}

/** The view of a stored parent, for a response. Throws if the parent cannot be represented as the view. */
export async function readView(
  target: Target,
  view: SubresourceView,
  stored: StoredObject,
): Promise<ApiObject> {
  const parent = decodeStored(target.resource, await convertToVersion(target.resource, stored));
  view.assertReadable?.(parent);
  return viewOfParent(target, view, parent, String(stored.revision));
}

export function viewOfParent(
  { resource, subresource }: Target,
  view: SubresourceView,
  parent: ApiObject,
  resourceVersion: string,
): ApiObject {
  const { apiVersion, kind } = resource.kindOf(subresource);
  const { name, namespace, uid, creationTimestamp } = parent.metadata;
  const metadata = {
    name: name!,
    ...(namespace && { namespace }),
    uid: uid!,
    resourceVersion,
    creationTimestamp: creationTimestamp ?? null,
  };
  return { ...view.toView(parent), apiVersion, kind, metadata };
}
