// Server-side apply: field ownership after an update that is not an apply.
import { type Changes, changesBut, isNoChange } from './compare.ts';
import { emptyFieldSet, type FieldSet, fieldsAt } from './field-set.ts';
import {
  capUpdateManagers,
  type FieldManager,
  isSameManager,
  type ManagedFields,
  withFields,
} from './owners.ts';
import { serversFields, serversMetadata } from './servers-own.ts';

/** Fields that no manager can own. */
export const serversOwn = fieldsAt([
  ...serversFields,
  ...[...serversMetadata].map((name) => `metadata.${name}`),
]);

/** The changes of a write in each version of the kind. */
export interface ChangesByVersion {
  /** Undefined for a version that is not served. */
  in(apiVersion: string): Changes | undefined;
}

/** After an update the writer owns every field it changed, and no other manager does. */
export function ownersAfterUpdate(
  owners: readonly ManagedFields[],
  writer: FieldManager,
  changes: ChangesByVersion,
  now: string,
): readonly ManagedFields[] {
  const own = changes.in(writer.apiVersion)!;
  if (isNoChange(own)) return owners;
  const changedFields = own.modified.union(own.added);
  const before = owners.find((owner) => isSameManager(owner, writer));
  const others = withoutChanged(before ? owners.filter((owner) => owner !== before) : owners, changes);
  const kept = before?.fields.difference(own.removed) ?? emptyFieldSet;
  if (!changedFields.isEmpty)
    return capUpdateManagers([...others, { ...writer, time: now, fields: kept.union(changedFields) }]);
  const self = before && withFields(before, kept);
  return capUpdateManagers(self ? [...others, self] : others);
}

/** Removes changed fields from the other managers. */
export function withoutChanged(
  owners: readonly ManagedFields[],
  changes: ChangesByVersion,
): readonly ManagedFields[] {
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
      const changes = found && changesBut(found, untracked);
      cached.set(apiVersion, changes);
      return changes;
    },
  };
}
