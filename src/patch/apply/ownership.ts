import { type Changes, changesBut, isNoChange } from './compare.ts';
import { type FieldSet, fieldsAt, nothing } from './field-set.ts';
import { isSameOwner, type Owner, owning, type Writer, withFewUpdaters } from './owners.ts';
import { serversFields, serversMetadata } from './servers-own.ts';

/** What nobody owns. */
export const serversOwn = fieldsAt([
  ...serversFields,
  ...[...serversMetadata].map((name) => `metadata.${name}`),
]);

/** What a write changed, as each version of the kind names it. */
export interface ChangesByVersion {
  /** Undefined for a version that the kind does not have. */
  in(apiVersion: string): Changes | undefined;
}

/** Who owns what after a write that is no apply: whatever it changed is the writer's now, and nobody else's. */
export function ownersAfterUpdate(
  owners: readonly Owner[],
  writer: Writer,
  changes: ChangesByVersion,
  now: string,
): readonly Owner[] {
  const own = changes.in(writer.apiVersion)!;
  if (isNoChange(own)) return owners;
  const taken = own.modified.union(own.added);
  const before = owners.find((owner) => isSameOwner(owner, writer));
  const others = withoutChanged(before ? owners.filter((owner) => owner !== before) : owners, changes);
  const kept = before?.fields.difference(own.removed) ?? nothing;
  if (!taken.isEmpty)
    return withFewUpdaters([...others, { ...writer, time: now, fields: kept.union(taken) }]);
  const self = before && owning(before, kept);
  return withFewUpdaters(self ? [...others, self] : others);
}

/** The owners with what they still own after a change by somebody else. */
export function withoutChanged(owners: readonly Owner[], changes: ChangesByVersion): readonly Owner[] {
  return owners.flatMap((owner) => {
    const seen = changes.in(owner.apiVersion);
    if (!seen) return [];
    const { fields } = owner;
    const rest = fields.difference(seen.modified).difference(seen.added).difference(seen.removed);
    return owning(owner, rest) ?? [];
  });
}

/** Changes that are looked at in each version once, without what the write puts back. */
export function changesByVersion(
  compareIn: (apiVersion: string) => Changes | undefined,
  untracked: FieldSet,
): ChangesByVersion {
  const known = new Map<string, Changes | undefined>();
  return {
    in(apiVersion) {
      if (known.has(apiVersion)) return known.get(apiVersion);
      const found = compareIn(apiVersion);
      const changes = found && changesBut(found, untracked);
      known.set(apiVersion, changes);
      return changes;
    },
  };
}
