import type { JsonObject } from '../../codec/json/json-value.ts';
import { compareObjects, noChanges } from './compare.ts';
import { type FieldSet, nothing } from './field-set.ts';
import { fieldsIn, withParents } from './fields-in.ts';
import { mergeIntent } from './merge.ts';
import { isSameOwner, type Owner, type Writer } from './owners.ts';
import { type ChangesByVersion, changesByVersion, serversOwn, withoutChanged } from './ownership.ts';
import { removeFields } from './remove.ts';
import type { Shape } from './shape.ts';
import { isSameValue } from './values.ts';

/** A kind in the versions it has. */
export interface Versions {
  /** Undefined for a version that there is not. */
  shape(apiVersion: string): Shape | undefined;
  /** The same object in another version. */
  convert(object: JsonObject, from: string, to: string): JsonObject;
}

export interface Application {
  readonly versions: Versions;
  /** The object as it is, in the version of the writer. */
  readonly live: JsonObject;
  readonly owners: readonly Owner[];
  readonly intent: JsonObject;
  readonly writer: Writer;
  /** Fields that others own are taken from them. */
  readonly force: boolean;
  /** Fields that this way of writing leaves alone. */
  readonly untracked: FieldSet;
  readonly now: string;
}

export interface Applied {
  /** The object that comes of it; undefined where it is the one there was. */
  readonly object: JsonObject | undefined;
  readonly owners: readonly Owner[];
}

/** Fields that somebody else owns and this intent would change. */
export interface Conflict {
  readonly owner: Owner;
  readonly fields: FieldSet;
}

export class ApplyConflict extends Error {
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super('the intent is in conflict with others');
    this.conflicts = conflicts;
  }
}

/** Lays an intent over an object. Throws ApplyConflict where others own what it changes, unless it is forced. */
export function applyIntent(application: Application): Applied {
  const { versions, live, intent, writer, untracked, owners, now } = application;
  const shape = versions.shape(writer.apiVersion)!;
  const merged = mergeIntent(shape, live, intent) as JsonObject;
  const own = fieldsIn(shape, intent).differenceBelow(untracked);
  const last = owners.find((owner) => isSameOwner(owner, writer));
  const others = owners.filter((owner) => owner !== last);
  const said = own.difference(serversOwn);
  // The same set as before is also written as before.
  const fields = last?.fields.equals(said) ? last.fields : said;
  const givesUp = last !== undefined && fields !== last.fields && !last.fields.difference(own).isEmpty;
  const object = givesUp ? withoutGivenUp(application, merged, own, last) : merged;
  const isSame = object === live || isSameValue(live, object);

  const changes = isSame ? unchangedIn(versions) : changesBetween(application, object);
  if (!application.force) refuseConflicts(others, changes);
  const kept = withoutChanged(others, changes);
  const time = isSame ? last?.time : now;
  const isAsBefore = last !== undefined && isSame && last.apiVersion === writer.apiVersion;
  const self: Owner =
    isAsBefore && last.fields === fields ? last : { ...writer, fields, ...(time !== undefined && { time }) };
  return { object: isSame ? undefined : object, owners: fields.isEmpty ? kept : [...kept, self] };
}

const unchangedIn = (versions: Versions): ChangesByVersion => ({
  in: (apiVersion) => versions.shape(apiVersion) && noChanges,
});

function changesBetween(
  { versions, live, writer, untracked }: Application,
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

function refuseConflicts(others: readonly Owner[], changes: ChangesByVersion): void {
  const conflicts = others.flatMap((owner) => {
    const seen = changes.in(owner.apiVersion);
    const fields = seen ? owner.fields.intersection(seen.modified.union(seen.added)) : nothing;
    return fields.isEmpty ? [] : [{ owner, fields }];
  });
  if (conflicts.length > 0) throw new ApplyConflict(conflicts);
}

/** The merged object without what its applier set before, sets no longer, and nobody else owns. */
function withoutGivenUp(
  { versions, owners, writer }: Application,
  merged: JsonObject,
  own: FieldSet,
  last: Owner,
): JsonObject {
  const version = last.apiVersion;
  const shape = versions.shape(version);
  if (!shape || last.fields.isEmpty) return merged;
  const before = versions.convert(merged, writer.apiVersion, version);
  const given = withParents(last.fields, shape);
  const all = withParents(fieldsIn(shape, before), shape);
  const left = (object: JsonObject) => withParents(fieldsIn(shape, object), shape);
  let rest = removeFields(shape, before, given) as JsonObject;
  for (const [apiVersion, fields] of ownedByVersion(owners, last, { ...writer, fields: own }, version)) {
    rest = withOwned(versions, before, rest, version, apiVersion, fields);
  }
  rest = removeFields(shape, before, all.difference(left(rest)).intersection(given)) as JsonObject;
  return versions.convert(rest, version, writer.apiVersion);
}

/** What is owned after the intent, by version; that of `first` comes first. */
function ownedByVersion(
  owners: readonly Owner[],
  last: Owner,
  self: Owner,
  first: string,
): ReadonlyMap<string, FieldSet> {
  const owned = new Map([[first, nothing]]);
  for (const owner of owners) {
    const { apiVersion, fields } = owner === last ? self : owner;
    owned.set(apiVersion, (owned.get(apiVersion) ?? nothing).union(fields));
  }
  return owned;
}

/** What is left of an object, with what is owned in some version put back. */
function withOwned(
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
