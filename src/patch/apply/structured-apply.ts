// Server-side apply: merges an applied configuration into the live object and updates managedFields (upstream:
// Updater.Apply of structured-merge-diff). Owners are field managers with the fields that each owns.
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
  mergeSchema(apiVersion: string): MergeSchema | undefined;
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

/** The applied configuration changes fields that other managers own. */
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
  const schema = versions.mergeSchema(manager.apiVersion)!;
  const merged = mergeConfiguration(schema, live, configuration) as JsonObject;
  const applied = toFieldSet(schema, configuration).differenceBelow(untracked);
  const previous = owners.find((owner) => isSameManager(owner, manager));
  const others = owners.filter((owner) => owner !== previous);
  const ownableFields = applied.difference(strippedFields);
  // Reuses an equal set, so that its FieldsV1 text is reused too.
  const fields = previous?.fields.equals(ownableFields) ? previous.fields : ownableFields;
  const dropsFields =
    previous !== undefined && fields !== previous.fields && !previous.fields.difference(applied).isEmpty;
  const object = dropsFields ? pruneUnowned(request, merged, applied, previous) : merged;
  const isSame = object === live || isSameValue(live, object);

  const changes = isSame ? noChangesByVersion(versions) : changesBetween(request, object);
  if (!request.force) throwOnConflicts(others, changes);
  const kept = removeChangedFields(others, changes);
  const time = isSame ? previous?.time : now;
  const keepsEntry =
    previous !== undefined &&
    isSame &&
    previous.apiVersion === manager.apiVersion &&
    previous.fields === fields;
  const current: ManagedFieldSet = keepsEntry
    ? previous
    : { ...manager, fields, ...(time !== undefined && { time }) };
  return { object: isSame ? undefined : object, owners: fields.isEmpty ? kept : [...kept, current] };
}

const noChangesByVersion = (versions: ApplyVersions): ChangesByVersion => ({
  in: (apiVersion) => versions.mergeSchema(apiVersion) && noChanges,
});

function changesBetween(
  { versions, live, writer: manager, untracked }: ApplyRequest,
  object: JsonObject,
): ChangesByVersion {
  return changesByVersion((apiVersion) => {
    const schema = versions.mergeSchema(apiVersion);
    if (!schema) return undefined;
    const before = versions.convert(live, manager.apiVersion, apiVersion);
    const after = versions.convert(object, manager.apiVersion, apiVersion);
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
 * The merged object without the fields that this manager applied before, no longer applies, and no other manager owns
 * (upstream: Updater.prune). It removes all fields of the previous configuration, restores those that a manager owns in
 * any version, and then removes from the original only the fields that are still missing.
 */
function pruneUnowned(
  { versions, owners, writer: manager }: ApplyRequest,
  merged: JsonObject,
  applied: FieldSet,
  previous: ManagedFieldSet,
): JsonObject {
  const version = previous.apiVersion;
  const schema = versions.mergeSchema(version);
  if (!schema || previous.fields.isEmpty) return merged;
  const complete = versions.convert(merged, manager.apiVersion, version);
  const previousFields = ensureNamedFieldsAreMembers(previous.fields, schema);
  let pruned = removeFields(schema, complete, previousFields) as JsonObject;
  const owned = ownedByVersion(owners, previous, { ...manager, fields: applied }, version);
  for (const [apiVersion, fields] of owned) {
    pruned = restoreOwned(versions, complete, pruned, version, apiVersion, fields);
  }
  const fieldsOf = (object: JsonObject) => ensureNamedFieldsAreMembers(toFieldSet(schema, object), schema);
  const missing = fieldsOf(complete).difference(fieldsOf(pruned));
  pruned = removeFields(schema, complete, missing.intersection(previousFields)) as JsonObject;
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

/** Restores the fields of `complete` that `pruned` lacks and managers own in `apiVersion`. Both are in `version`. */
function restoreOwned(
  versions: ApplyVersions,
  complete: JsonObject,
  pruned: JsonObject,
  version: string,
  apiVersion: string,
  owned: FieldSet,
): JsonObject {
  const schema = versions.mergeSchema(apiVersion);
  if (!schema) return pruned;
  const convertedComplete = versions.convert(complete, version, apiVersion);
  const convertedPruned = versions.convert(pruned, version, apiVersion);
  const fieldsOf = (object: JsonObject) => ensureNamedFieldsAreMembers(toFieldSet(schema, object), schema);
  const kept = fieldsOf(convertedPruned).union(ensureNamedFieldsAreMembers(owned, schema));
  const removed = fieldsOf(convertedComplete).difference(kept);
  const restored = removeFields(schema, convertedComplete, removed) as JsonObject;
  return versions.convert(restored, apiVersion, version);
}
