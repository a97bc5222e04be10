// Server-side apply: merges an applied configuration into the live object and updates managedFields.
import type { JsonObject } from '../../codec/json/json-value.ts';
import { compareObjects, noChanges } from './compare.ts';
import { emptyFieldSet, type FieldSet } from './field-set.ts';
import { type FieldManager, isSameManager, type ManagedFieldSet } from './managed-fields.ts';
import { mergeConfiguration } from './merge.ts';
import type { MergeSchema } from './merge-schema.ts';
import { type ChangesByVersion, changesByVersion, removeChangedFields, strippedFields } from './ownership.ts';
import { removeFields } from './remove.ts';
import { ensureNamedFieldsAreMembers, toFieldSet } from './to-field-set.ts';
import { isSameValue } from './values.ts';

/** The versions of a kind. */
export interface ApplyVersions {
  /** Undefined for a version that is not served. */
  shape(apiVersion: string): MergeSchema | undefined;
  /** Converts an object between versions. */
  convert(object: JsonObject, from: string, to: string): JsonObject;
}

export interface ApplyRequest {
  readonly versions: ApplyVersions;
  /** The live object, in the version of the request. */
  readonly live: JsonObject;
  readonly owners: readonly ManagedFieldSet[];
  readonly intent: JsonObject;
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
    super('the intent is in conflict with others');
    this.conflicts = conflicts;
  }
}

/** Applies a configuration. Throws ApplyConflict if other managers own fields that it changes, unless forced. */
export function structuredApply(application: ApplyRequest): ApplyResult {
  const { versions, live, intent: configuration, writer: manager, untracked, owners, now } = application;
  const schema = versions.shape(manager.apiVersion)!;
  const merged = mergeConfiguration(schema, live, configuration) as JsonObject;
  const own = toFieldSet(schema, configuration).differenceBelow(untracked);
  const last = owners.find((owner) => isSameManager(owner, manager));
  const others = owners.filter((owner) => owner !== last);
  const appliedFields = own.difference(strippedFields);
  // Reuses an equal set, so that its FieldsV1 text is reused too.
  const fields = last?.fields.equals(appliedFields) ? last.fields : appliedFields;
  const givesUp = last !== undefined && fields !== last.fields && !last.fields.difference(own).isEmpty;
  const object = givesUp ? pruneUnowned(application, merged, own, last) : merged;
  const isSame = object === live || isSameValue(live, object);

  const changes = isSame ? noChangesByVersion(versions) : changesBetween(application, object);
  if (!application.force) throwOnConflicts(others, changes);
  const kept = removeChangedFields(others, changes);
  const time = isSame ? last?.time : now;
  const isAsBefore = last !== undefined && isSame && last.apiVersion === manager.apiVersion;
  const self: ManagedFieldSet =
    isAsBefore && last.fields === fields ? last : { ...manager, fields, ...(time !== undefined && { time }) };
  return { object: isSame ? undefined : object, owners: fields.isEmpty ? kept : [...kept, self] };
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
    const seen = changes.in(owner.apiVersion);
    const fields = seen ? owner.fields.intersection(seen.modified.union(seen.added)) : emptyFieldSet;
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
  own: FieldSet,
  last: ManagedFieldSet,
): JsonObject {
  const version = last.apiVersion;
  const schema = versions.shape(version);
  if (!schema || last.fields.isEmpty) return merged;
  const before = versions.convert(merged, manager.apiVersion, version);
  const droppedCandidates = ensureNamedFieldsAreMembers(last.fields, schema);
  const all = ensureNamedFieldsAreMembers(toFieldSet(schema, before), schema);
  const left = (object: JsonObject) => ensureNamedFieldsAreMembers(toFieldSet(schema, object), schema);
  let rest = removeFields(schema, before, droppedCandidates) as JsonObject;
  for (const [apiVersion, fields] of ownedByVersion(owners, last, { ...manager, fields: own }, version)) {
    rest = restoreOwned(versions, before, rest, version, apiVersion, fields);
  }
  rest = removeFields(
    schema,
    before,
    all.difference(left(rest)).intersection(droppedCandidates),
  ) as JsonObject;
  return versions.convert(rest, version, manager.apiVersion);
}

/** The fields owned after this apply, by version; version `first` comes first. */
function ownedByVersion(
  owners: readonly ManagedFieldSet[],
  last: ManagedFieldSet,
  self: ManagedFieldSet,
  first: string,
): ReadonlyMap<string, FieldSet> {
  const owned = new Map([[first, emptyFieldSet]]);
  for (const owner of owners) {
    const { apiVersion, fields } = owner === last ? self : owner;
    owned.set(apiVersion, (owned.get(apiVersion) ?? emptyFieldSet).union(fields));
  }
  return owned;
}

/** Adds back to a pruned object the fields that are owned in some version. */
function restoreOwned(
  versions: ApplyVersions,
  whole: JsonObject,
  rest: JsonObject,
  version: string,
  apiVersion: string,
  owned: FieldSet,
): JsonObject {
  const schema = versions.shape(apiVersion);
  if (!schema) return rest;
  const [all, left] = [whole, rest].map((object) => versions.convert(object, version, apiVersion));
  const kept = ensureNamedFieldsAreMembers(toFieldSet(schema, left!), schema).union(
    ensureNamedFieldsAreMembers(owned, schema),
  );
  const gone = ensureNamedFieldsAreMembers(toFieldSet(schema, all!), schema).difference(kept);
  return versions.convert(removeFields(schema, all!, gone) as JsonObject, apiVersion, version);
}
