// Server-side apply: merges an applied configuration into the live object and updates managedFields.
import type { JsonObject } from '../../codec/json/json-value.ts';
import { compareObjects, noChanges } from './compare.ts';
import { emptyFieldSet, type FieldSet } from './field-set.ts';
import {
  type ChangesByVersion,
  changesByVersion,
  type FieldManager,
  isSameManager,
  type ManagedFieldSet,
  removeChangedFields,
  strippedFields,
} from './managed-fields.ts';
import { mergeConfiguration } from './merge.ts';
import type { MergeSchema } from './merge-schema.ts';
import { removeFields } from './remove.ts';
import { ensureNamedFieldsAreMembers, toFieldSet } from './to-field-set.ts';
import { isSameValue } from './values.ts';

/** The served versions of a kind, for managers that own fields in another version. */
export interface ApplyVersions {
  /** The merge schema of a version; undefined if the version is not served. */
  shape(apiVersion: string): MergeSchema | undefined;
  /** Converts an object between versions. */
  convert(object: JsonObject, from: string, to: string): JsonObject;
}

export interface ApplyRequest {
  readonly versions: ApplyVersions;
  /** The live object, in the version of the request. */
  readonly live: JsonObject;
  /** The field managers of the live object, with the fields that each owns. */
  readonly owners: readonly ManagedFieldSet[];
  readonly configuration: JsonObject;
  /** The field manager that applies. */
  readonly writer: FieldManager;
  /** Takes over fields that other managers own, instead of reporting conflicts. */
  readonly force: boolean;
  /** Fields that this endpoint does not track (reset fields, such as status). */
  readonly untracked: FieldSet;
  readonly now: string;
}

export interface ApplyResult {
  /** The resulting object; undefined if it did not change. */
  readonly object: JsonObject | undefined;
  readonly owners: readonly ManagedFieldSet[];
}

/** Fields of another manager that the applied configuration would change. */
export interface ManagerConflict {
  readonly owner: ManagedFieldSet;
  readonly fields: FieldSet;
}

export class ApplyConflict extends Error {
  readonly conflicts: readonly ManagerConflict[];

  constructor(conflicts: readonly ManagerConflict[]) {
    super('the applied configuration conflicts with other field managers');
    this.conflicts = conflicts;
  }
}

/** Applies a configuration. Throws ApplyConflict if other managers own fields that it changes, unless forced. */
export function structuredApply(request: ApplyRequest): ApplyResult {
  const { versions, live, configuration, writer: manager, untracked, owners, now } = request;
  const schema = versions.shape(manager.apiVersion)!;
  const merged = mergeConfiguration(schema, live, configuration) as JsonObject;
  const applied = toFieldSet(schema, configuration).differenceBelow(untracked);
  const previous = owners.find((owner) => isSameManager(owner, manager));
  const others = owners.filter((owner) => owner !== previous);
  const appliedFields = applied.difference(strippedFields);
  // Reuses an equal set, so that its FieldsV1 text is reused too.
  const fields = previous?.fields.equals(appliedFields) ? previous.fields : appliedFields;
  const dropsFields =
    previous !== undefined && fields !== previous.fields && !previous.fields.difference(applied).isEmpty;
  const object = dropsFields ? pruneUnowned(request, merged, applied, previous) : merged;
  const isSame = object === live || isSameValue(live, object);

  const changes = isSame ? noChangesByVersion(versions) : changesBetween(request, object);
  if (!request.force) throwOnConflicts(others, changes);
  const kept = removeChangedFields(others, changes);
  const time = isSame ? previous?.time : now;
  const keepsEntry = previous !== undefined && isSame && previous.apiVersion === manager.apiVersion;
  const current: ManagedFieldSet =
    keepsEntry && previous.fields === fields
      ? previous
      : { ...manager, fields, ...(time !== undefined && { time }) };
  return { object: isSame ? undefined : object, owners: fields.isEmpty ? kept : [...kept, current] };
}

const noChangesByVersion = (versions: ApplyVersions): ChangesByVersion => ({
  in: (apiVersion) => versions.shape(apiVersion) && noChanges,
});

function changesBetween(
  { versions, live, writer: manager, untracked }: ApplyRequest,
  object: JsonObject,
): ChangesByVersion {
  return changesByVersion((apiVersion) => {
    const schema = versions.shape(apiVersion);
    if (!schema) return undefined;
    const [before, after] = [live, object].map((state) =>
      versions.convert(state, manager.apiVersion, apiVersion),
    );
    return compareObjects(schema, before, after, 'json');
  }, untracked);
}

function throwOnConflicts(others: readonly ManagedFieldSet[], changes: ChangesByVersion): void {
  const conflicts = others.flatMap((owner) => {
    const versionChanges = changes.in(owner.apiVersion);
    const fields = versionChanges
      ? owner.fields.intersection(versionChanges.modified.union(versionChanges.added))
      : emptyFieldSet;
    return fields.isEmpty ? [] : [{ owner, fields }];
  });
  if (conflicts.length > 0) throw new ApplyConflict(conflicts);
}

/**
 * The merged object without the fields that this manager applied before, no longer applies, and no other manager
 * owns.
 */
function pruneUnowned(
  { versions, owners, writer: manager }: ApplyRequest,
  merged: JsonObject,
  applied: FieldSet,
  previous: ManagedFieldSet,
): JsonObject {
  const version = previous.apiVersion;
  const schema = versions.shape(version);
  if (!schema || previous.fields.isEmpty) return merged;
  const before = versions.convert(merged, manager.apiVersion, version);
  const droppedCandidates = ensureNamedFieldsAreMembers(previous.fields, schema);
  const all = ensureNamedFieldsAreMembers(toFieldSet(schema, before), schema);
  const remaining = (object: JsonObject) => ensureNamedFieldsAreMembers(toFieldSet(schema, object), schema);
  let pruned = removeFields(schema, before, droppedCandidates) as JsonObject;
  for (const [apiVersion, fields] of ownedByVersion(
    owners,
    previous,
    { ...manager, fields: applied },
    version,
  )) {
    pruned = restoreOwned(versions, before, pruned, version, apiVersion, fields);
  }
  pruned = removeFields(
    schema,
    before,
    all.difference(remaining(pruned)).intersection(droppedCandidates),
  ) as JsonObject;
  return versions.convert(pruned, version, manager.apiVersion);
}

/** The union of all owned fields after this apply, by version. The map starts with version `first`. */
function ownedByVersion(
  owners: readonly ManagedFieldSet[],
  previous: ManagedFieldSet,
  current: ManagedFieldSet,
  first: string,
): ReadonlyMap<string, FieldSet> {
  const owned = new Map([[first, emptyFieldSet]]);
  for (const owner of owners) {
    const { apiVersion, fields } = owner === previous ? current : owner;
    owned.set(apiVersion, (owned.get(apiVersion) ?? emptyFieldSet).union(fields));
  }
  return owned;
}

/** Restores the fields that a manager owns in `apiVersion` and that pruning removed. */
function restoreOwned(
  versions: ApplyVersions,
  merged: JsonObject,
  pruned: JsonObject,
  version: string,
  apiVersion: string,
  owned: FieldSet,
): JsonObject {
  const schema = versions.shape(apiVersion);
  if (!schema) return pruned;
  const [complete, remaining] = [merged, pruned].map((object) =>
    versions.convert(object, version, apiVersion),
  );
  const kept = ensureNamedFieldsAreMembers(toFieldSet(schema, remaining!), schema).union(
    ensureNamedFieldsAreMembers(owned, schema),
  );
  const removed = ensureNamedFieldsAreMembers(toFieldSet(schema, complete!), schema).difference(kept);
  return versions.convert(removeFields(schema, complete!, removed) as JsonObject, apiVersion, version);
}
