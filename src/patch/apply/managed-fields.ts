// Server-side apply: field managers, and the decoding and encoding of metadata.managedFields.
import type { JsonValue } from '../../codec/json/json-value.ts';
import type { OtherString } from '../../schema/scalars.ts';
import { emptyFieldSet, type FieldSet } from './field-set.ts';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.ts';

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

/** Returns the manager with these fields, or undefined if there are none. */
export function withFields(owner: ManagedFieldSet, fields: FieldSet): ManagedFieldSet | undefined {
  if (fields.isEmpty) return undefined;
  if (fields === owner.fields) return owner;
  const { entry: _stale, ...rest } = owner;
  return { ...rest, fields };
}

const maxUpdateManagers = 10;
const ancientChangesManager = 'ancient-changes';

/** Merges the oldest Update entries of a version when there are more than `maxUpdateManagers` (upstream's ancient-changes). */
export function capUpdateManagers(owners: readonly ManagedFieldSet[]): readonly ManagedFieldSet[] {
  const updaters = owners.filter(({ operation }) => operation === 'Update');
  let tooMany = updaters.length - maxUpdateManagers;
  if (tooMany <= 0) return owners;
  updaters.sort(
    (left, right) =>
      timestampSeconds(left) - timestampSeconds(right) || compareText(managerId(left), managerId(right)),
  );
  const kept = new Map(owners.map((owner) => [managerId(owner), owner]));
  const oldest = new Map<string, ManagedFieldSet>();
  for (const updater of updaters) {
    if (tooMany === 0) break;
    const { apiVersion, time } = updater;
    const before = oldest.get(apiVersion);
    kept.delete(managerId(updater));
    const merged: ManagedFieldSet = before
      ? {
          manager: ancientChangesManager,
          operation: 'Update',
          apiVersion,
          subresource: '',
          ...(time !== undefined && { time }),
          fields: updater.fields.union(before.fields),
        }
      : updater;
    if (before) {
      kept.delete(managerId(before));
      tooMany--;
    }
    kept.set(managerId(merged), merged);
    oldest.set(apiVersion, merged);
  }
  return [...kept.values()];
}

/** The union of all managers' fields. */
export function allFields(owners: readonly ManagedFieldSet[]): FieldSet {
  return owners.reduce((all, { fields }) => all.union(fields), emptyFieldSet);
}
