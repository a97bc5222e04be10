import type { ApiObject } from '../../kind/api-object.ts';
import { timestamp } from '../../kind/time.ts';
import { compareObjects } from '../../patch/apply/compare.ts';
import { emptyFieldSet, type FieldSet, fieldSetOfPath } from '../../patch/apply/field-set.ts';
import { encodeManagedFields, type ManagedFieldSet, withFields } from '../../patch/apply/managed-fields.ts';
import { mergeSchemaOf } from '../../patch/apply/merge-schema.ts';
import { changesByVersion, managersAfterUpdate } from '../../patch/apply/ownership.ts';
import type { Api } from '../api.ts';
import type { WriteOptions } from '../options/write-options.ts';
import type { Target } from '../target.ts';
import { setOwners, storedOwners, writerOf } from './managed-fields.ts';

/** The one field that an object and a view of it share, by the same name in both. */
const shared = fieldSetOfPath(['f:spec', 'f:replicas']);

/** The same field, as the object has it. */
function sharedIn({ resource, subresource }: Target): FieldSet {
  const at = resource.subresource(subresource)?.view?.sharedAt;
  return at ? fieldSetOfPath(at) : shared;
}

/** Who owns what a view shows. */
export function ownersInView(target: Target, parent: ApiObject): readonly ManagedFieldSet[] {
  const { apiVersion } = target.resource.kindOf(target.subresource);
  const inParent = sharedIn(target);
  return storedOwners(parent.metadata.managedFields).flatMap((owner) => {
    if (owner.fields.intersection(inParent).isEmpty) return [];
    const { entry: _entry, ...rest } = owner;
    return [{ ...rest, apiVersion, fields: shared }];
  });
}

/** Writes into an object who owns what, now that the field it shares with a view belongs to these. */
export function settleOwnersThroughView(
  target: Target,
  parent: ApiObject,
  inView: readonly ManagedFieldSet[],
): void {
  const inParent = sharedIn(target);
  const left = new Map(inView.map((owner) => [nameOf(owner), owner]));
  const kept = storedOwners(parent.metadata.managedFields).flatMap((owner) => {
    if (owner.fields.intersection(inParent).isEmpty) return [owner];
    if (left.delete(nameOf(owner))) return [owner];
    return withFields(owner, owner.fields.difference(inParent)) ?? [];
  });
  const { apiVersion } = target.resource;
  const added = [...left.values()]
    .filter(({ fields }) => !fields.intersection(shared).isEmpty)
    .map(({ manager, operation, subresource }) => ({
      ...{ manager, operation, apiVersion, subresource },
      fields: inParent,
    }));
  setOwners(parent, encodeManagedFields([...kept, ...added]));
}

/** Owners of the same name are one, whatever version of which kind they wrote in. */
const nameOf = ({ manager, operation, subresource }: ManagedFieldSet) =>
  JSON.stringify([manager, operation, subresource]);

/** As settleOwners, for an update of a view. */
export function settleOwnersOfView(
  api: Api,
  target: Target,
  { sent, shown, parent }: { sent: ApiObject; shown: ApiObject; parent: ApiObject },
  options: WriteOptions,
): void {
  const before = ownersInView(target, parent);
  // As with an object, nobody comes to own by an update what nobody owns.
  if (before.length === 0) return;
  const { apiVersion, definition } = target.resource.kindOf(target.subresource);
  const changes = changesByVersion(
    () => compareObjects(mergeSchemaOf(definition.schema), shown, sent, 'object'),
    emptyFieldSet,
  );
  const writer = { ...writerOf(api, target, options, 'Update'), apiVersion };
  const owners = managersAfterUpdate(before, writer, changes, timestamp(api.clock));
  settleOwnersThroughView(target, parent, owners);
}
