// Server-side apply: field ownership after an update that is not an apply.
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

/** Fields that no manager can own. */
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
  const own = changes.in(manager.apiVersion)!;
  if (isUnchanged(own)) return owners;
  const changedFields = own.modified.union(own.added);
  const before = owners.find((owner) => isSameManager(owner, manager));
  const others = removeChangedFields(before ? owners.filter((owner) => owner !== before) : owners, changes);
  const kept = before?.fields.difference(own.removed) ?? emptyFieldSet;
  if (!changedFields.isEmpty)
    return capUpdateManagers([...others, { ...manager, time: now, fields: kept.union(changedFields) }]);
  const self = before && withFields(before, kept);
  return capUpdateManagers(self ? [...others, self] : others);
}

/** Removes changed fields from the other managers. */
export function removeChangedFields(
  owners: readonly ManagedFieldSet[],
  changes: ChangesByVersion,
): readonly ManagedFieldSet[] {
  return owners.flatMap((owner) => {
    const seen = changes.in(owner.apiVersion);
    if (!seen) return [];
    const { fields } = owner;
    const rest = fields.difference(seen.modified).difference(seen.added).difference(seen.removed);
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
