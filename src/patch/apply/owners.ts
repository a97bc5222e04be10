// Server-side apply: field managers, and their entries in managedFields.
import type { JsonValue } from '../../codec/json/json-value.ts';
import type { OtherString } from '../../schema/scalars.ts';
import { emptyFieldSet, type FieldSet } from './field-set.ts';
import { fieldsV1Text, readFieldsV1 } from './fields-v1.ts';

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

/** A field manager and its kind of write. */
export interface FieldManager {
  readonly manager: string;
  readonly operation: ManagerOperation;
  readonly apiVersion: string;
  readonly subresource: string;
}

/** A field manager with its fields; one managedFields entry. */
export interface ManagedFields extends FieldManager {
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

export function isSameManager(one: FieldManager, other: FieldManager): boolean {
  return (
    one.manager === other.manager &&
    one.operation === other.operation &&
    one.subresource === other.subresource &&
    (one.operation === 'Apply' || one.apiVersion === other.apiVersion)
  );
}

const fieldsType = 'FieldsV1';

/** Parses managedFields; undefined if they are invalid. */
export function decodeManagedFields(entries: readonly ManagerEntry[]): readonly ManagedFields[] | undefined {
  const owners = new Map<string, ManagedFields>();
  for (const entry of entries) {
    const { manager = '', operation, apiVersion = '', subresource = '', time } = entry;
    const fields = entry.fieldsType === fieldsType ? readFieldsV1(entry.fieldsV1) : undefined;
    if (!fields || !isOperation(operation) || apiVersion === '') return undefined;
    const owner = { manager, operation, apiVersion, subresource, fields, entry };
    owners.set(managerId(owner), time === undefined ? owner : { ...owner, time });
  }
  return [...owners.values()];
}

const isOperation = (text: string | undefined): text is ManagerOperation =>
  text === 'Apply' || text === 'Update';

/** The managedFields of an object; undefined without managers. */
export function encodeManagedFields(owners: readonly ManagedFields[]): ManagerEntry[] | undefined {
  if (owners.length === 0) return undefined;
  return [...owners].sort(compareOwners).map((owner) => owner.entry ?? entryOf(owner));
}

function entryOf({ manager, operation, apiVersion, subresource, time, fields }: ManagedFields): ManagerEntry {
  return {
    manager,
    operation,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType,
    fieldsV1: fieldsV1Text(fields),
    ...(subresource !== '' && { subresource }),
  };
}

/** Upstream's order: Apply before Update, then by time. */
function compareOwners(one: ManagedFields, other: ManagedFields): number {
  return (
    compareText(one.operation, other.operation) ||
    secondsOf(one) - secondsOf(other) ||
    compareText(one.manager, other.manager) ||
    compareText(one.apiVersion, other.apiVersion) ||
    compareText(one.subresource, other.subresource)
  );
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function secondsOf({ time }: ManagedFields): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

/** Whether managers and fields are equal, regardless of times. */
export function isSameButTimes(some: readonly ManagedFields[], others: readonly ManagedFields[]): boolean {
  if (some.length !== others.length) return false;
  const byId = new Map(others.map((owner) => [managerId(owner), owner]));
  return some.every((owner) => {
    const other = byId.get(managerId(owner));
    return other && other.apiVersion === owner.apiVersion && other.fields.equals(owner.fields);
  });
}

/** The manager with other fields, or undefined if there are none. */
export function withFields(owner: ManagedFields, fields: FieldSet): ManagedFields | undefined {
  if (fields.isEmpty) return undefined;
  if (fields === owner.fields) return owner;
  const { entry: _said, ...rest } = owner;
  return { ...rest, fields };
}

const maxUpdateManagers = 10;
const ancientManager = 'ancient-changes';

/** Merges the oldest Update entries of one version when there are too many (upstream's ancient-changes). */
export function capUpdateManagers(owners: readonly ManagedFields[]): readonly ManagedFields[] {
  const updaters = owners.filter(({ operation }) => operation === 'Update');
  let tooMany = updaters.length - maxUpdateManagers;
  if (tooMany <= 0) return owners;
  updaters.sort(
    (one, other) => secondsOf(one) - secondsOf(other) || compareText(managerId(one), managerId(other)),
  );
  const kept = new Map(owners.map((owner) => [managerId(owner), owner]));
  const oldest = new Map<string, ManagedFields>();
  for (const updater of updaters) {
    if (tooMany === 0) break;
    const { apiVersion, time } = updater;
    const before = oldest.get(apiVersion);
    kept.delete(managerId(updater));
    const merged: ManagedFields = before
      ? {
          manager: ancientManager,
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
export function allFields(owners: readonly ManagedFields[]): FieldSet {
  return owners.reduce((all, { fields }) => all.union(fields), emptyFieldSet);
}
