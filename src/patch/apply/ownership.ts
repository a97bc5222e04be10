// Server-side apply: field ownership after a create, update or patch (operation Update).
import { type Changes, excludeFields, isUnchanged } from './compare.ts';
import { emptyFieldSet, type FieldSet, fieldSetOfDottedPaths } from './field-set.ts';
import {
  capUpdateManagers,
  type FieldManager,
  isSameManager,
  type ManagedFieldSet,
  withFields,
} from './managed-fields.ts';
import { strippedMetadataFields, strippedObjectFields } from './stripped-fields.ts';

/** Fields that no manager can own (stripSet upstream). */
export const strippedFields = fieldSetOfDottedPaths([
  ...strippedObjectFields,
  ...[...strippedMetadataFields].map((name) => `metadata.${name}`),
]);

/** The changes of a write in each version of the kind. */
export interface ChangesByVersion {
  /** Undefined for a version that is not served. */
  in(apiVersion: string): Changes | undefined;
}

/** After an update the writer owns every field it changed, and no other manager does. */
export function managersAfterUpdate(
  owners: readonly ManagedFieldSet[],
  manager: FieldManager,
  changes: ChangesByVersion,
  now: string,
): readonly ManagedFieldSet[] {
  const managerChanges = changes.in(manager.apiVersion)!;
  if (isUnchanged(managerChanges)) return owners;
  const changedFields = managerChanges.modified.union(managerChanges.added);
  const before = owners.find((owner) => isSameManager(owner, manager));
  const others = removeChangedFields(before ? owners.filter((owner) => owner !== before) : owners, changes);
  const kept = before?.fields.difference(managerChanges.removed) ?? emptyFieldSet;
  if (!changedFields.isEmpty)
    return capUpdateManagers([...others, { ...manager, time: now, fields: kept.union(changedFields) }]);
  const self = before && withFields(before, kept);
  return capUpdateManagers(self ? [...others, self] : others);
}

/** Removes the changed fields from these managers; a manager without fields, or of a version no longer served, is dropped. */
export function removeChangedFields(
  owners: readonly ManagedFieldSet[],
  changes: ChangesByVersion,
): readonly ManagedFieldSet[] {
  return owners.flatMap((owner) => {
    const versionChanges = changes.in(owner.apiVersion);
    if (!versionChanges) return [];
    const { fields } = owner;
    const rest = fields
      .difference(versionChanges.modified)
      .difference(versionChanges.added)
      .difference(versionChanges.removed);
    return withFields(owner, rest) ?? [];
  });
}

/** Compares lazily, once per version, without the untracked fields. */
export function changesByVersion(
  compareIn: (apiVersion: string) => Changes | undefined,
  untracked: FieldSet,
): ChangesByVersion {
  const cached = new Map<string, Changes | undefined>();
  return {
    in(apiVersion) {
      if (cached.has(apiVersion)) return cached.get(apiVersion);
      const found = compareIn(apiVersion);
      const changes = found && excludeFields(found, untracked);
      cached.set(apiVersion, changes);
      return changes;
    },
  };
}
