import type { ApiObject } from '../../kind/api-object.ts';
import type { SubresourceView } from '../../kind/definition.ts';
import { ensureNamespaceMatches } from '../../kind/meta/namespace.ts';
import { decodeStored } from '../../kind/storage/codec.ts';
import { inVersion } from '../../kind/storage/converted.ts';
import type { Owner } from '../../patch/apply/owners.ts';
import type { StoredObject } from '../../store/store.ts';
import { type Api, existing, type Target } from '../api.ts';
import type { WriteOptions } from '../options/write-options.ts';
import { beginAdmission } from '../write/admission-control.ts';
import { refuseInvalid } from '../write/refuse-invalid.ts';
import { settleOwnersOfView, settleOwnersThroughView } from '../write/view-managed-fields.ts';
import { refuseOtherObject, settleName, update } from './update.ts';

/** An object as the kind that a subresource shows it as, to be changed by a write. */
export function showAs(target: Target, view: SubresourceView, stored: StoredObject): ApiObject {
  return showParentAs(target, view, decodeStored(target.resource, stored), String(stored.revision));
}

/** The same as the client is answered with it. */
export async function readView(
  target: Target,
  view: SubresourceView,
  stored: StoredObject,
): Promise<ApiObject> {
  const parent = decodeStored(target.resource, await inVersion(target.resource, stored));
  view.assertReadable?.(parent);
  return showParentAs(target, view, parent, String(stored.revision));
}

function showParentAs(
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
  return { ...view.show(parent), apiVersion, kind, metadata };
}

/** A view of an object as a client sent it, or as it came of a patch. */
export interface IncomingView {
  readonly view: ApiObject;
  /** Who owns what the view shows after this write, where that has been found out. */
  readonly owners?: readonly Owner[];
}

/** Writes what a view of an object says into the object. `read` makes the view. */
export async function updateView(
  api: Api,
  target: Target,
  view: SubresourceView,
  read: () => IncomingView | Promise<IncomingView>,
  options: WriteOptions,
  warnings: string[],
): Promise<StoredObject> {
  const { resource, name, subresource } = target;
  const readParent = async () => {
    const { view: incoming, owners } = await read();
    let sent = incoming;
    settleName(target, sent);
    ensureNamespaceMatches(target, sent);
    const stored = await inVersion(resource, existing(api, target));
    const parent = decodeStored(resource, stored);
    const shown = showAs(target, view, stored);
    const admitting = beginAdmission(api, target, 'UPDATE', { object: sent, old: shown }, options, warnings);
    if (admitting) sent = (await admitting.mutate())!;
    refuseInvalid(resource.kindOf(subresource).kindSubject, name, () => view.validate?.(sent) ?? []);
    refuseOtherObject(target, sent.metadata.uid, parent.metadata.uid ?? '');
    if (owners) settleOwnersThroughView(target, parent, owners);
    else settleOwnersOfView(api, target, { sent, shown, parent }, options);
    view.write(sent, parent);
    const { resourceVersion } = sent.metadata;
    if (resourceVersion) parent.metadata.resourceVersion = resourceVersion;
    else delete parent.metadata.resourceVersion;
    const show = (object: ApiObject) => showParentAs(target, view, object, String(stored.revision));
    return { object: parent, hasOwners: true, admitted: { show, admitting } };
  };
  const { object } = await update(api, { ...target, subresource: '' }, readParent, options, warnings);
  return object;
}
