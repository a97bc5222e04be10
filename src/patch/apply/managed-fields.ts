// Server-side apply: field managers, their entries in metadata.managedFields, and the fields they own after an update.
import type { JsonValue } from '../../codec/json/json-value.ts';
import type { OtherString } from '../../schema/scalars.ts';
import { type Changes, excludeFields, isUnchanged } from './compare.ts';
import {
  decodeFieldsV1,
  emptyFieldSet,
  encodeFieldsV1,
  type FieldSet,
  fieldSetOfDottedPaths,
} from './field-set.ts';
import { strippedMetadataFields, strippedObjectFields } from './stripped-fields.ts';

type ManagerOperation = 'Apply' | 'Update';

/** An entry of managedFields as an object has it. */
export interface ManagerEntry {
  manager?: string;
  operation?: ManagerOperation | OtherString;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonValue;
  subresource?: string;
}

/** Identifies a field manager: name, operation, version and subresource. */
export interface FieldManager {
  readonly manager: string;
  readonly operation: ManagerOperation;
  readonly apiVersion: string;
  readonly subresource: string;
}

/** A decoded managedFields entry: a field manager and the fields it owns (VersionedSet upstream). */
export interface ManagedFieldSet extends FieldManager {
  /** Absent if the manager became an owner without changing the object. */
  readonly time?: string;
  readonly fields: FieldSet;
  /** The entry that this was read from, if it is unchanged. */
  readonly entry?: ManagerEntry;
}

/** The identity of a manager. For Apply the apiVersion is not part of it. */
function managerId({ manager, operation, apiVersion, subresource }: FieldManager): string {
  return JSON.stringify([manager, operation, operation === 'Apply' ? '' : apiVersion, subresource]);
}

export function isSameManager(left: FieldManager, right: FieldManager): boolean {
  return (
    left.manager === right.manager &&
    left.operation === right.operation &&
    left.subresource === right.subresource &&
    (left.operation === 'Apply' || left.apiVersion === right.apiVersion)
  );
}

const fieldsType = 'FieldsV1';

/** Parses managedFields; undefined if they are invalid. */
export function decodeManagedFields(
  entries: readonly ManagerEntry[],
): readonly ManagedFieldSet[] | undefined {
  const owners = new Map<string, ManagedFieldSet>();
  for (const entry of entries) {
    const { manager = '', operation, apiVersion = '', subresource = '', time } = entry;
    const fields = entry.fieldsType === fieldsType ? decodeFieldsV1(entry.fieldsV1) : undefined;
    if (!fields || !isOperation(operation) || apiVersion === '') return undefined;
    const owner = { manager, operation, apiVersion, subresource, fields, entry };
    owners.set(managerId(owner), time === undefined ? owner : { ...owner, time });
  }
  return [...owners.values()];
}

const isOperation = (text: string | undefined): text is ManagerOperation =>
  text === 'Apply' || text === 'Update';

/** The managedFields of an object; undefined without managers. */
export function encodeManagedFields(owners: readonly ManagedFieldSet[]): ManagerEntry[] | undefined {
  if (owners.length === 0) return undefined;
  return [...owners].sort(compareOwners).map((owner) => owner.entry ?? encodeEntry(owner));
}

function encodeEntry({
  manager,
  operation,
  apiVersion,
  subresource,
  time,
  fields,
}: ManagedFieldSet): ManagerEntry {
  return {
    manager,
    operation,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType,
    fieldsV1: encodeFieldsV1(fields),
    ...(subresource !== '' && { subresource }),
  };
}

/** Upstream's order: Apply before Update, then by time. */
function compareOwners(left: ManagedFieldSet, right: ManagedFieldSet): number {
  return (
    compareText(left.operation, right.operation) ||
    timestampSeconds(left) - timestampSeconds(right) ||
    compareText(left.manager, right.manager) ||
    compareText(left.apiVersion, right.apiVersion) ||
    compareText(left.subresource, right.subresource)
  );
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function timestampSeconds({ time }: ManagedFieldSet): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

/** Whether managers and fields are equal, regardless of times. */
export function areEqualIgnoringTime(
  some: readonly ManagedFieldSet[],
  others: readonly ManagedFieldSet[],
): boolean {
  if (some.length !== others.length) return false;
  const byId = new Map(others.map((owner) => [managerId(owner), owner]));
  return some.every((owner) => {
    const right = byId.get(managerId(owner));
    return right && right.apiVersion === owner.apiVersion && right.fields.equals(owner.fields);
  });
}

/** The manager with these fields instead of its own; undefined if there are none. */
export function withFields(owner: ManagedFieldSet, fields: FieldSet): ManagedFieldSet | undefined {
  if (fields.isEmpty) return undefined;
  if (fields === owner.fields) return owner;
  // `entry` is the encoded form of the old fields.
  const { entry: _stale, ...manager } = owner;
  return { ...manager, fields };
}

const maxUpdateManagers = 10;
const ancientChangesManager = 'ancient-changes';

/**
 * With more than `maxUpdateManagers` Update entries, merges the oldest of each version into one entry of the manager
 * `ancient-changes`, as upstream does.
 */
export function capUpdateManagers(owners: readonly ManagedFieldSet[]): readonly ManagedFieldSet[] {
  const updaters = owners.filter(({ operation }) => operation === 'Update');
  let surplus = updaters.length - maxUpdateManagers;
  if (surplus <= 0) return owners;
  updaters.sort(
    (left, right) =>
      timestampSeconds(left) - timestampSeconds(right) || compareText(managerId(left), managerId(right)),
  );
  const kept = new Map(owners.map((owner) => [managerId(owner), owner]));
  const oldestByVersion = new Map<string, ManagedFieldSet>();
  for (const updater of updaters) {
    if (surplus === 0) break;
    const { apiVersion, time } = updater;
    const mergedBefore = oldestByVersion.get(apiVersion);
    kept.delete(managerId(updater));
    const merged: ManagedFieldSet = mergedBefore
      ? {
          manager: ancientChangesManager,
          operation: 'Update',
          apiVersion,
          subresource: '',
          ...(time !== undefined && { time }),
          fields: updater.fields.union(mergedBefore.fields),
        }
      : updater;
    if (mergedBefore) {
      kept.delete(managerId(mergedBefore));
      surplus--;
    }
    kept.set(managerId(merged), merged);
    oldestByVersion.set(apiVersion, merged);
  }
  return [...kept.values()];
}

/** The union of all managers' fields. */
export function allFields(owners: readonly ManagedFieldSet[]): FieldSet {
  return owners.reduce((all, { fields }) => all.union(fields), emptyFieldSet);
}

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

/**
 * The managers after an update: the writer owns every field that it changed, and no other manager does. Returns
 * `owners` itself if nothing changed.
 */
export function managersAfterUpdate(
  owners: readonly ManagedFieldSet[],
  writer: FieldManager,
  changes: ChangesByVersion,
  now: string,
): readonly ManagedFieldSet[] {
  const writerChanges = changes.in(writer.apiVersion)!;
  if (isUnchanged(writerChanges)) return owners;
  const changedFields = writerChanges.modified.union(writerChanges.added);
  const previous = owners.find((owner) => isSameManager(owner, writer));
  const others = removeChangedFields(
    previous ? owners.filter((owner) => owner !== previous) : owners,
    changes,
  );
  const kept = previous?.fields.difference(writerChanges.removed) ?? emptyFieldSet;
  if (!changedFields.isEmpty)
    return capUpdateManagers([...others, { ...writer, time: now, fields: kept.union(changedFields) }]);
  // The update only removed fields: the writer keeps its entry, with the old time.
  const remaining = previous && withFields(previous, kept);
  return capUpdateManagers(remaining ? [...others, remaining] : others);
}

/** Removes the changed fields from these managers. Drops a manager without fields, or of a version no longer served. */
export function removeChangedFields(
  owners: readonly ManagedFieldSet[],
  changes: ChangesByVersion,
): readonly ManagedFieldSet[] {
  return owners.flatMap((owner) => {
    const versionChanges = changes.in(owner.apiVersion);
    if (!versionChanges) return [];
    const { fields } = owner;
    const unchanged = fields
      .difference(versionChanges.modified)
      .difference(versionChanges.added)
      .difference(versionChanges.removed);
    return withFields(owner, unchanged) ?? [];
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
      const compared = compareIn(apiVersion);
      const changes = compared && excludeFields(compared, untracked);
      cached.set(apiVersion, changes);
      return changes;
    },
  };
}
