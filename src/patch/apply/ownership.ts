// Server-side apply: field ownership after an update that is not an apply.
import { type Changes, changesBut, isNoChange } from './compare.ts';
import { type FieldSet, fieldsAt, nothing } from './field-set.ts';
import { isSameOwner, type Owner, owning, type Writer, withFewUpdaters } from './owners.ts';
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
  owners: readonly Owner[],
  writer: Writer,
  changes: ChangesByVersion,
  now: string,
): readonly Owner[] {
  const own = changes.in(writer.apiVersion)!;
  if (isNoChange(own)) return owners;
  const changedFields = own.modified.union(own.added);
  const before = owners.find((owner) => isSameOwner(owner, writer));
  const others = withoutChanged(before ? owners.filter((owner) => owner !== before) : owners, changes);
  const kept = before?.fields.difference(own.removed) ?? nothing;
  if (!changedFields.isEmpty)
    return withFewUpdaters([...others, { ...writer, time: now, fields: kept.union(changedFields) }]);
  const self = before && owning(before, kept);
  return withFewUpdaters(self ? [...others, self] : others);
}

/** Removes changed fields from the other managers. */
export function withoutChanged(owners: readonly Owner[], changes: ChangesByVersion): readonly Owner[] {
  return owners.flatMap((owner) => {
    const seen = changes.in(owner.apiVersion);
    if (!seen) return [];
    const { fields } = owner;
    const rest = fields.difference(seen.modified).difference(seen.added).difference(seen.removed);
    return owning(owner, rest) ?? [];
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
