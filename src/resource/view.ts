import type { Owner } from '../patch/apply/owners.ts';
import type { StoredObject } from '../store/store.ts';
import { type Api, existing, type Target } from './api.ts';
import { decodeStored } from './codec.ts';
import { settleNamespace } from './create.ts';
import type { ApiObject, SubresourceView } from './definition.ts';
import type { WriteOptions } from './options/write-options.ts';
import { refuseInvalid } from './refuse-invalid.ts';
import { refuseOtherObject, settleName, update } from './update.ts';
import { settleOwnersOfView, settleOwnersThroughView } from './view-owners.ts';

/** An object as the kind that a subresource shows it as. */
export function showAs(target: Target, view: SubresourceView, stored: StoredObject): ApiObject {
  const parent = decodeStored(target.resource, stored);
  const { apiVersion, kind } = target.resource.kindOf(target.subresource);
  const { name, namespace, uid, creationTimestamp } = parent.metadata;
  const metadata = {
    name: name!,
    ...(namespace && { namespace }),
    uid: uid!,
    resourceVersion: String(stored.revision),
    creationTimestamp: creationTimestamp ?? null,
  };
  return { ...view.show(parent), apiVersion, kind, metadata };
}

/** A view of an object as a client sent it, or as it came of a patch. */
export interface IncomingView {
  readonly view: ApiObject;
  /** Who owns what the view shows after this write, where that has been found out. */
  readonly owners?: readonly Owner[];
}

/** Writes what a view of an object says into the object. `read` makes the view. */
export async function updateThrough(
  api: Api,
  target: Target,
  view: SubresourceView,
  read: () => IncomingView,
  options: WriteOptions,
  warnings: string[],
): Promise<StoredObject> {
  const { resource, name, subresource } = target;
  const readParent = () => {
    const { view: sent, owners } = read();
    settleName(target, sent);
    settleNamespace(target, sent);
    const stored = existing(api, target);
    const parent = decodeStored(resource, stored);
    refuseInvalid(resource.kindOf(subresource).kindSubject, name, () => view.validate?.(sent) ?? []);
    refuseOtherObject(target, sent.metadata.uid, parent.metadata.uid ?? '');
    if (owners) settleOwnersThroughView(target, parent, owners);
    else settleOwnersOfView(api, target, { sent, shown: showAs(target, view, stored), parent }, options);
    view.write(sent, parent);
    const { resourceVersion } = sent.metadata;
    if (resourceVersion) parent.metadata.resourceVersion = resourceVersion;
    else delete parent.metadata.resourceVersion;
    return { object: parent, hasOwners: true };
  };
  const { object } = await update(api, { ...target, subresource: '' }, readParent, options, warnings);
  return object;
}
