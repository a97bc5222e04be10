// Server-side apply: field managers, and their entries in managedFields.
import type { JsonValue } from '../../codec/json/json-value.ts';
import type { OtherString } from '../../schema/scalars.ts';
import { type FieldSet, nothing } from './field-set.ts';
import { fieldsV1Text, readFieldsV1 } from './fields-v1.ts';

type Operation = 'Apply' | 'Update';

/** An entry of managedFields as an object has it. */
export interface ManagerEntry {
  manager?: string;
  operation?: Operation | OtherString;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonValue;
  subresource?: string;
}

/** A field manager and its kind of write. */
export interface Writer {
  readonly manager: string;
  readonly operation: Operation;
  readonly apiVersion: string;
  readonly subresource: string;
}

/** A field manager with its fields; one managedFields entry. */
export interface Owner extends Writer {
  /** Absent if the manager became an owner without changing the object. */
  readonly time?: string;
  readonly fields: FieldSet;
  /** The entry that this was read from, if it is unchanged. */
  readonly entry?: ManagerEntry;
}

/** The identity of a manager. For Apply the apiVersion is not part of it. */
function idOf({ manager, operation, apiVersion, subresource }: Writer): string {
  return JSON.stringify([manager, operation, operation === 'Apply' ? '' : apiVersion, subresource]);
}

export function isSameOwner(one: Writer, other: Writer): boolean {
  return (
    one.manager === other.manager &&
    one.operation === other.operation &&
    one.subresource === other.subresource &&
    (one.operation === 'Apply' || one.apiVersion === other.apiVersion)
  );
}

const fieldsType = 'FieldsV1';

/** Parses managedFields; undefined if they are invalid. */
export function readOwners(entries: readonly ManagerEntry[]): readonly Owner[] | undefined {
  const owners = new Map<string, Owner>();
  for (const entry of entries) {
    const { manager = '', operation, apiVersion = '', subresource = '', time } = entry;
    const fields = entry.fieldsType === fieldsType ? readFieldsV1(entry.fieldsV1) : undefined;
    if (!fields || !isOperation(operation) || apiVersion === '') return undefined;
    const owner = { manager, operation, apiVersion, subresource, fields, entry };
    owners.set(idOf(owner), time === undefined ? owner : { ...owner, time });
  }
  return [...owners.values()];
}

const isOperation = (text: string | undefined): text is Operation => text === 'Apply' || text === 'Update';

/** The managedFields of an object; undefined without managers. */
export function writeOwners(owners: readonly Owner[]): ManagerEntry[] | undefined {
  if (owners.length === 0) return undefined;
  return [...owners].sort(compareOwners).map((owner) => owner.entry ?? entryOf(owner));
}

function entryOf({ manager, operation, apiVersion, subresource, time, fields }: Owner): ManagerEntry {
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
function compareOwners(one: Owner, other: Owner): number {
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

function secondsOf({ time }: Owner): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

/** Whether managers and fields are equal, regardless of times. */
export function isSameButTimes(some: readonly Owner[], others: readonly Owner[]): boolean {
  if (some.length !== others.length) return false;
  const byId = new Map(others.map((owner) => [idOf(owner), owner]));
  return some.every((owner) => {
    const other = byId.get(idOf(owner));
    return other && other.apiVersion === owner.apiVersion && other.fields.equals(owner.fields);
  });
}

/** The manager with other fields, or undefined if there are none. */
export function owning(owner: Owner, fields: FieldSet): Owner | undefined {
  if (fields.isEmpty) return undefined;
  if (fields === owner.fields) return owner;
  const { entry: _said, ...rest } = owner;
  return { ...rest, fields };
}

const maxUpdateManagers = 10;
const ancientManager = 'ancient-changes';

/** Merges the oldest Update entries of one version when there are too many (upstream's ancient-changes). */
export function withFewUpdaters(owners: readonly Owner[]): readonly Owner[] {
  const updaters = owners.filter(({ operation }) => operation === 'Update');
  let tooMany = updaters.length - maxUpdateManagers;
  if (tooMany <= 0) return owners;
  updaters.sort((one, other) => secondsOf(one) - secondsOf(other) || compareText(idOf(one), idOf(other)));
  const kept = new Map(owners.map((owner) => [idOf(owner), owner]));
  const oldest = new Map<string, Owner>();
  for (const updater of updaters) {
    if (tooMany === 0) break;
    const { apiVersion, time } = updater;
    const before = oldest.get(apiVersion);
    kept.delete(idOf(updater));
    const merged: Owner = before
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
      kept.delete(idOf(before));
      tooMany--;
    }
    kept.set(idOf(merged), merged);
    oldest.set(apiVersion, merged);
  }
  return [...kept.values()];
}

/** The union of all managers' fields. */
export function allFields(owners: readonly Owner[]): FieldSet {
  return owners.reduce((all, { fields }) => all.union(fields), nothing);
}
