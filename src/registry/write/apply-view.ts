// Writes through a view (`scale`): admits and validates the view, and merges it into its parent, which is written instead.
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
  let sent = context.object;
  assertNameMatches(target, sent);
  ensureNamespaceMatches(target, sent);
  context.stored ??= existing(api, target);
  const stored = await convertToVersion(resource, context.stored);
  const parent = decodeStored(resource, stored);
  const current = viewOfStored(target, view, stored);
  context.admission = beginAdmission(
    api,
    target,
    'UPDATE',
    { object: sent, old: current },
    options,
    warnings,
  );
  if (context.admission) sent = (await context.admission.mutate())!;
  assertValid(resource.kindOf(subresource).kindSubject, name, () => view.validate?.(sent) ?? []);
  assertUidMatches(target, sent.metadata.uid, parent.metadata.uid ?? '');
  if (viewOwners) setManagedFieldsThroughView(target, parent, viewOwners);
  else setManagedFieldsOfView(api, target, { sent, current, parent }, options);
  view.write(sent, parent);
  const { resourceVersion } = sent.metadata;
  if (resourceVersion) parent.metadata.resourceVersion = resourceVersion;
  else delete parent.metadata.resourceVersion;
  setDecoded(context, { object: parent, hasManagedFields: true });
  context.toView = (object: ApiObject) => viewOfParent(target, view, object, String(stored.revision));
  context.target = { ...target, subresource: '' };
}
