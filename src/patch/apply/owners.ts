import type { ManagedFieldsEntry } from '../../api/meta/object-meta.ts';
import { type FieldSet, nothing } from './field-set.ts';
import { fieldsV1Text, readFieldsV1 } from './fields-v1.ts';

export type Operation = 'Apply' | 'Update';

/** Who writes, and how. */
export interface Writer {
  readonly manager: string;
  readonly operation: Operation;
  readonly apiVersion: string;
  readonly subresource: string;
}

/** A manager with the fields that it owns by one way of writing. */
export interface Owner extends Writer {
  /** Unknown where it came to own them without changing the object. */
  readonly time?: string;
  readonly fields: FieldSet;
  /** The entry that this was read from and still says. */
  readonly entry?: ManagedFieldsEntry;
}

/** Tells owners apart. Whoever applies is one in all versions. */
export function idOf({ manager, operation, apiVersion, subresource }: Writer): string {
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

/** The owners that an object's managedFields name, or undefined where these cannot be understood. */
export function readOwners(entries: readonly ManagedFieldsEntry[]): readonly Owner[] | undefined {
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

/** managedFields as objects carry them; undefined where nobody owns anything. */
export function writeOwners(owners: readonly Owner[]): ManagedFieldsEntry[] | undefined {
  if (owners.length === 0) return undefined;
  return [...owners].sort(inOrder).map((owner) => owner.entry ?? entryOf(owner));
}

function entryOf({ manager, operation, apiVersion, subresource, time, fields }: Owner): ManagedFieldsEntry {
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

/** Who applies comes first, then who wrote first. */
function inOrder(one: Owner, other: Owner): number {
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

/** Whether the owners are the same and own the same, though perhaps since another time. */
export function isSameButTimes(some: readonly Owner[], others: readonly Owner[]): boolean {
  if (some.length !== others.length) return false;
  const byId = new Map(others.map((owner) => [idOf(owner), owner]));
  return some.every((owner) => {
    const other = byId.get(idOf(owner));
    return other && other.apiVersion === owner.apiVersion && other.fields.equals(owner.fields);
  });
}

/** The owner with other fields, or undefined if these are none. */
export function owning(owner: Owner, fields: FieldSet): Owner | undefined {
  if (fields.isEmpty) return undefined;
  if (fields === owner.fields) return owner;
  const { entry: _said, ...rest } = owner;
  return { ...rest, fields };
}

const mostUpdaters = 10;
const ancient = 'ancient-changes';

/** Makes one owner of those that wrote longest ago, where there are too many that update. Those of one version are put together. */
export function withFewUpdaters(owners: readonly Owner[]): readonly Owner[] {
  const updaters = owners.filter(({ operation }) => operation === 'Update');
  let tooMany = updaters.length - mostUpdaters;
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
          manager: ancient,
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

/** All that anybody owns. */
export function allFields(owners: readonly Owner[]): FieldSet {
  return owners.reduce((all, { fields }) => all.union(fields), nothing);
}
