// Server-side apply: merges an applied configuration into the live object and updates managedFields.
import type { JsonObject } from '../../codec/json/json-value.ts';
import { compareObjects, noChanges } from './compare.ts';
import { emptyFieldSet, type FieldSet } from './field-set.ts';
import { fieldsIn, withParents } from './fields-in.ts';
import { mergeIntent } from './merge.ts';
import { type FieldManager, isSameManager, type ManagedFields } from './owners.ts';
import { type ChangesByVersion, changesByVersion, serversOwn, withoutChanged } from './ownership.ts';
import { removeFields } from './remove.ts';
import type { MergeSchema } from './shape.ts';
import { isSameValue } from './values.ts';

/** The versions of a kind. */
export interface Versions {
  /** Undefined for a version that is not served. */
  shape(apiVersion: string): MergeSchema | undefined;
  /** Converts an object between versions. */
  convert(object: JsonObject, from: string, to: string): JsonObject;
}

export interface ApplyRequest {
  readonly versions: Versions;
  /** The live object, in the version of the request. */
  readonly live: JsonObject;
  readonly owners: readonly ManagedFields[];
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
  readonly owners: readonly ManagedFields[];
}

/** Fields of another manager that the applied configuration would change. */
export interface ManagerConflict {
  readonly owner: ManagedFields;
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
  const { versions, live, intent, writer, untracked, owners, now } = application;
  const shape = versions.shape(writer.apiVersion)!;
  const merged = mergeIntent(shape, live, intent) as JsonObject;
  const own = fieldsIn(shape, intent).differenceBelow(untracked);
  const last = owners.find((owner) => isSameManager(owner, writer));
  const others = owners.filter((owner) => owner !== last);
  const appliedFields = own.difference(serversOwn);
  // Reuses an equal set, so that its FieldsV1 text is reused too.
  const fields = last?.fields.equals(appliedFields) ? last.fields : appliedFields;
  const givesUp = last !== undefined && fields !== last.fields && !last.fields.difference(own).isEmpty;
  const object = givesUp ? pruneUnowned(application, merged, own, last) : merged;
  const isSame = object === live || isSameValue(live, object);

  const changes = isSame ? unchangedIn(versions) : changesBetween(application, object);
  if (!application.force) refuseConflicts(others, changes);
  const kept = withoutChanged(others, changes);
  const time = isSame ? last?.time : now;
  const isAsBefore = last !== undefined && isSame && last.apiVersion === writer.apiVersion;
  const self: ManagedFields =
    isAsBefore && last.fields === fields ? last : { ...writer, fields, ...(time !== undefined && { time }) };
  return { object: isSame ? undefined : object, owners: fields.isEmpty ? kept : [...kept, self] };
}

const unchangedIn = (versions: Versions): ChangesByVersion => ({
  in: (apiVersion) => versions.shape(apiVersion) && noChanges,
});

function changesBetween(
  { versions, live, writer, untracked }: ApplyRequest,
  object: JsonObject,
): ChangesByVersion {
  return changesByVersion((apiVersion) => {
    const shape = versions.shape(apiVersion);
    if (!shape) return undefined;
    const [before, after] = [live, object].map((state) =>
      versions.convert(state, writer.apiVersion, apiVersion),
    );
    return compareObjects(shape, before, after, 'json');
  }, untracked);
}

function refuseConflicts(others: readonly ManagedFields[], changes: ChangesByVersion): void {
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
  { versions, owners, writer }: ApplyRequest,
  merged: JsonObject,
  own: FieldSet,
  last: ManagedFields,
): JsonObject {
  const version = last.apiVersion;
  const shape = versions.shape(version);
  if (!shape || last.fields.isEmpty) return merged;
  const before = versions.convert(merged, writer.apiVersion, version);
  const droppedCandidates = withParents(last.fields, shape);
  const all = withParents(fieldsIn(shape, before), shape);
  const left = (object: JsonObject) => withParents(fieldsIn(shape, object), shape);
  let rest = removeFields(shape, before, droppedCandidates) as JsonObject;
  for (const [apiVersion, fields] of ownedByVersion(owners, last, { ...writer, fields: own }, version)) {
    rest = restoreOwned(versions, before, rest, version, apiVersion, fields);
  }
  rest = removeFields(
    shape,
    before,
    all.difference(left(rest)).intersection(droppedCandidates),
  ) as JsonObject;
  return versions.convert(rest, version, writer.apiVersion);
}

/** The fields owned after this apply, by version; version `first` comes first. */
function ownedByVersion(
  owners: readonly ManagedFields[],
  last: ManagedFields,
  self: ManagedFields,
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
  versions: Versions,
  whole: JsonObject,
  rest: JsonObject,
  version: string,
  apiVersion: string,
  owned: FieldSet,
): JsonObject {
  const shape = versions.shape(apiVersion);
  if (!shape) return rest;
  const [all, left] = [whole, rest].map((object) => versions.convert(object, version, apiVersion));
  const kept = withParents(fieldsIn(shape, left!), shape).union(withParents(owned, shape));
  const gone = withParents(fieldsIn(shape, all!), shape).difference(kept);
  return versions.convert(removeFields(shape, all!, gone) as JsonObject, apiVersion, version);
}
