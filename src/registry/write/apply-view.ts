// Pipeline stage applyView: writes through a view, a subresource such as `scale` that shows its parent object as
// another kind. It admits and validates the view and merges it into the parent, which the later stages write.
import type { ApiObject } from '../../kind/api-object.ts';
import type { SubresourceView } from '../../kind/definition.ts';
import { ensureNamespaceMatches } from '../../kind/meta/validation.ts';
import { decodeStored } from '../../kind/storage/codec.ts';
import { convertToVersion } from '../../kind/storage/convert-stored.ts';
import { existing } from '../verb-context.ts';
import { viewOfParent, viewOfStored } from '../view.ts';
import { beginAdmission } from './admission.ts';
import type { WriteContext } from './context.ts';
import { setDecoded } from './decode.ts';
import { assertNameMatches, assertUidMatches } from './load-current.ts';
import { assertValid } from './validate.ts';
import { setManagedFieldsOfView, setManagedFieldsThroughView } from './view-managed-fields.ts';

export function applyView(context: WriteContext): void | Promise<void> {
  const { resource, subresource } = context.target;
  if (subresource === '') return;
  const view = resource.subresource(subresource)?.view;
  if (view) return mergeIntoParent(context, view);
}

async function mergeIntoParent(context: WriteContext, view: SubresourceView): Promise<void> {
  const { api, target, options, warnings, viewOwners } = context;
  const { resource, name, subresource } = target;
  let viewObject = context.object;
  assertNameMatches(target, viewObject);
  ensureNamespaceMatches(target, viewObject);
  context.stored ??= existing(api, target);
  const stored = await convertToVersion(resource, context.stored);
  const parent = decodeStored(resource, stored);
  const current = viewOfStored(target, view, stored);
  const objects = { object: viewObject, old: current };
  context.admission = beginAdmission(api, target, 'UPDATE', objects, options, warnings);
  if (context.admission) viewObject = (await context.admission.mutate())!;
  assertValid(resource.kindOf(subresource).kindSubject, name, () => view.validate?.(viewObject) ?? []);
  assertUidMatches(target, viewObject.metadata.uid, parent.metadata.uid ?? '');
  if (viewOwners) setManagedFieldsThroughView(target, parent, viewOwners);
  else setManagedFieldsOfView(api, target, { sent: viewObject, current, parent }, options);
  view.write(viewObject, parent);
  // The resourceVersion of the view is the precondition of the write to its parent.
  const { resourceVersion } = viewObject.metadata;
  if (resourceVersion) parent.metadata.resourceVersion = resourceVersion;
  else delete parent.metadata.resourceVersion;
  setDecoded(context, { object: parent, hasManagedFields: true });
  context.toView = (object: ApiObject) => viewOfParent(target, view, object, String(stored.revision));
  context.target = { ...target, subresource: '' };
}
