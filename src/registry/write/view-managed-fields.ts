// managedFields of a view (a subresource such as `scale` that shows its parent as another kind): maps the managers of
// spec.replicas between the view and its parent. Upstream: ScaleHandler. Only the parent stores managedFields.

import { timestamp } from '../../base/clock.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import { compareObjects } from '../../patch/apply/compare.ts';
import { emptyFieldSet, type FieldSet, fieldSetOfPath } from '../../patch/apply/field-set.ts';
import {
  changesByVersion,
  encodeManagedFields,
  type ManagedFieldSet,
  managersAfterUpdate,
  withFields,
} from '../../patch/apply/managed-fields.ts';
import { mergeSchemaOf } from '../../patch/apply/merge-schema.ts';
import type { WriteOptions } from '../options/write-options.ts';
import type { Target } from '../target.ts';
import type { StorageContext } from '../verb-context.ts';
import {
  assignManagedFields,
  decodeStoredOwners,
  fieldManagerOf,
  removedVersionIn,
} from './managed-fields.ts';

/** The field that the view shares with its parent (replicas), in the view. */
const replicasInView = fieldSetOfPath(['f:spec', 'f:replicas']);

/** The shared field in the parent. */
function replicasInParent({ resource, subresource }: Target): FieldSet {
  const path = resource.subresource(subresource)?.view?.replicasPath;
  return path ? fieldSetOfPath(path) : replicasInView;
}

/** The managers of the parent, without those of a version that its CRD no longer has. */
function existingOwners({ resource }: Target, parent: ApiObject): readonly ManagedFieldSet[] {
  const owners = decodeStoredOwners(parent.metadata.managedFields);
  return owners.filter((owner) => removedVersionIn(resource, [owner]) === undefined);
}

/** The managers of the shared field, as managers of the view. */
export function ownersInView(target: Target, parent: ApiObject): readonly ManagedFieldSet[] {
  const { apiVersion } = target.resource.kindOf(target.subresource);
  const inParent = replicasInParent(target);
  return existingOwners(target, parent).flatMap((owner) => {
    if (owner.fields.intersection(inParent).isEmpty) return [];
    // `entry` is the encoded text of the parent's fields, which are not those of the view.
    const { entry: _entry, ...manager } = owner;
    return [{ ...manager, apiVersion, fields: replicasInView }];
  });
}

/** Updates the parent's managedFields: those in `inView` manage the shared field from now on, no others. */
export function setManagedFieldsThroughView(
  target: Target,
  parent: ApiObject,
  inView: readonly ManagedFieldSet[],
): void {
  const inParent = replicasInParent(target);
  const unmatched = new Map(inView.map((owner) => [managerKeyOf(owner), owner]));
  const kept = existingOwners(target, parent).flatMap((owner) => {
    if (owner.fields.intersection(inParent).isEmpty) return [owner];
    if (unmatched.delete(managerKeyOf(owner))) return [owner];
    return withFields(owner, owner.fields.difference(inParent)) ?? [];
  });
  const { apiVersion } = target.resource;
  const added = [...unmatched.values()]
    .filter(({ fields }) => !fields.intersection(replicasInView).isEmpty)
    .map(({ manager, operation, subresource }) => ({
      ...{ manager, operation, apiVersion, subresource },
      fields: inParent,
    }));
  assignManagedFields(parent, encodeManagedFields([...kept, ...added]));
}

/** Identifies a manager in parent and view, which differ in apiVersion. */
const managerKeyOf = ({ manager, operation, subresource }: ManagedFieldSet) =>
  JSON.stringify([manager, operation, subresource]);

/** Updates the parent's managedFields for a PUT or patch of the view. */
export function setManagedFieldsOfView(
  api: StorageContext,
  target: Target,
  { sent, current, parent }: { sent: ApiObject; current: ApiObject; parent: ApiObject },
  options: WriteOptions,
): void {
  const oldOwners = ownersInView(target, parent);
  // As in computeManagedFields: without managers, an update does not start to track fields.
  if (oldOwners.length === 0) {
    const stored = decodeStoredOwners(parent.metadata.managedFields);
    if (removedVersionIn(target.resource, stored) !== undefined)
      setManagedFieldsThroughView(target, parent, []);
    return;
  }
  const { apiVersion, definition } = target.resource.kindOf(target.subresource);
  const changes = changesByVersion(
    () => compareObjects(mergeSchemaOf(definition.schema), current, sent, 'object'),
    emptyFieldSet,
  );
  const writer = { ...fieldManagerOf(api, target, options, 'Update'), apiVersion };
  const owners = managersAfterUpdate(oldOwners, writer, changes, timestamp(api.clock));
  setManagedFieldsThroughView(target, parent, owners);
}
