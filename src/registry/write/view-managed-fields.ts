// managedFields of a subresource view (`scale`): maps the manager of spec.replicas between the view and its parent.

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
import type { Api } from '../api.ts';
import type { WriteOptions } from '../options/write-options.ts';
import type { Target } from '../target.ts';
import { assignManagedFields, storedOwners, writerOf } from './managed-fields.ts';

/** The field that parent and view share, in the view. */
const shared = fieldSetOfPath(['f:spec', 'f:replicas']);

/** The path of the shared field in the parent. */
function sharedIn({ resource, subresource }: Target): FieldSet {
  const at = resource.subresource(subresource)?.view?.replicasPath;
  return at ? fieldSetOfPath(at) : shared;
}

/** The managers of the shared field, as managers of the view. */
export function ownersInView(target: Target, parent: ApiObject): readonly ManagedFieldSet[] {
  const { apiVersion } = target.resource.kindOf(target.subresource);
  const inParent = sharedIn(target);
  return storedOwners(parent.metadata.managedFields).flatMap((owner) => {
    if (owner.fields.intersection(inParent).isEmpty) return [];
    const { entry: _entry, ...rest } = owner;
    return [{ ...rest, apiVersion, fields: shared }];
  });
}

/** Updates the parent's managedFields after the managers of the shared field in the view changed. */
export function setManagedFieldsThroughView(
  target: Target,
  parent: ApiObject,
  inView: readonly ManagedFieldSet[],
): void {
  const inParent = sharedIn(target);
  const unmatched = new Map(inView.map((owner) => [nameOf(owner), owner]));
  const kept = storedOwners(parent.metadata.managedFields).flatMap((owner) => {
    if (owner.fields.intersection(inParent).isEmpty) return [owner];
    if (unmatched.delete(nameOf(owner))) return [owner];
    return withFields(owner, owner.fields.difference(inParent)) ?? [];
  });
  const { apiVersion } = target.resource;
  const added = [...unmatched.values()]
    .filter(({ fields }) => !fields.intersection(shared).isEmpty)
    .map(({ manager, operation, subresource }) => ({
      ...{ manager, operation, apiVersion, subresource },
      fields: inParent,
    }));
  assignManagedFields(parent, encodeManagedFields([...kept, ...added]));
}

/** Identifies a manager in parent and view, which differ in apiVersion. */
const nameOf = ({ manager, operation, subresource }: ManagedFieldSet) =>
  JSON.stringify([manager, operation, subresource]);

/** Updates the parent's managedFields for a PUT or patch of the view. */
export function setManagedFieldsOfView(
  api: Api,
  target: Target,
  { sent, shown, parent }: { sent: ApiObject; shown: ApiObject; parent: ApiObject },
  options: WriteOptions,
): void {
  const before = ownersInView(target, parent);
  // As in computeManagedFields: without managers, an update does not start to track fields.
  if (before.length === 0) return;
  const { apiVersion, definition } = target.resource.kindOf(target.subresource);
  const changes = changesByVersion(
    () => compareObjects(mergeSchemaOf(definition.schema), shown, sent, 'object'),
    emptyFieldSet,
  );
  const writer = { ...writerOf(api, target, options, 'Update'), apiVersion };
  const owners = managersAfterUpdate(before, writer, changes, timestamp(api.clock));
  setManagedFieldsThroughView(target, parent, owners);
}
