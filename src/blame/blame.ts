import { isObject, type JsonObject, type JsonValue } from '../codec/json/json-value.ts';
import { FieldSet } from '../patch/apply/field-set.ts';
import { readFieldsV1 } from '../patch/apply/fields-v1.ts';
import { elementsOf } from './list-elements.ts';

/** A manager, and how it came to own fields. */
export interface FieldOwner {
  readonly manager: string;
  readonly operation: string;
  readonly apiVersion: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** When it last changed what it owns; undefined where the server does not know. */
  readonly time: string | undefined;
}

/** A value in an object, with those who own it. */
export interface OwnedValue {
  /** The elements that lead to it, as FieldsV1 writes them. */
  readonly path: readonly string[];
  readonly value: JsonValue;
  /** Several where it is shared, none where it is the server's. */
  readonly owners: readonly FieldOwner[];
  /** Owned not by itself but with what it lies in. */
  readonly isPart: boolean;
  /** Of an object, by key. */
  readonly members?: ReadonlyMap<string, OwnedValue>;
  /** Of a list. */
  readonly items?: readonly OwnedValue[];
}

/** Who owns which part of an object, as its managedFields say. */
export interface Blame {
  /** In the order of managedFields. */
  readonly owners: readonly FieldOwner[];
  /** The object without its managedFields. */
  readonly root: OwnedValue;
  /** What is owned and not in the object: left empty, or named otherwise in the version that the owner wrote. */
  readonly missing: readonly MissingField[];
  /** Those of whom it cannot be understood what they own. */
  readonly unreadable: readonly FieldOwner[];
}

export interface MissingField {
  readonly path: readonly string[];
  readonly owner: FieldOwner;
}

/** Finds out who owns what in an object. It needs nothing but the object, of any kind and from any server. */
export function blame(object: JsonObject): Blame {
  const { entries, rest } = withoutManagedFields(object);
  const owners: FieldOwner[] = [];
  const unreadable: FieldOwner[] = [];
  const claims: Claim[] = [];
  for (const entry of entries) {
    const owner = ownerOf(entry);
    const fields = readFieldsV1(entry.fieldsV1);
    owners.push(owner);
    if (fields) claims.push({ owner, fields });
    else unreadable.push(owner);
  }
  const missing: MissingField[] = [];
  const root = ownedValue(rest, [], claims, [], missing);
  return { owners, root, missing, unreadable };
}

/** What an owner says to own at a place and below. */
export interface Claim {
  readonly owner: FieldOwner;
  readonly fields: FieldSet;
}

function withoutManagedFields(object: JsonObject): { entries: readonly JsonObject[]; rest: JsonObject } {
  const { metadata } = object;
  if (!isObject(metadata)) return { entries: [], rest: object };
  const { managedFields, ...kept } = metadata;
  const entries = Array.isArray(managedFields) ? managedFields.filter(isObject) : [];
  return { entries, rest: { ...object, metadata: kept } };
}

function ownerOf({ manager, operation, apiVersion, subresource, time }: JsonObject): FieldOwner {
  const text = (value: JsonValue | undefined) => (typeof value === 'string' ? value : '');
  return {
    manager: text(manager),
    operation: text(operation),
    apiVersion: text(apiVersion),
    subresource: text(subresource),
    time: text(time) || undefined,
  };
}

function ownedValue(
  value: JsonValue,
  path: readonly string[],
  claims: readonly Claim[],
  ownersOfWhole: readonly FieldOwner[],
  missing: MissingField[],
): OwnedValue {
  const named = claims.filter(({ fields }) => fields.isMember).map(({ owner }) => owner);
  const isPart = named.length === 0 && ownersOfWhole.length > 0;
  const known = { path, value, owners: isPart ? ownersOfWhole : named, isPart };
  // Who owns a place and nothing below it owns all of it.
  const whole = claims.filter(({ fields }) => fields.isMember && fields.below.size === 0);
  const below = whole.length > 0 ? whole.map(({ owner }) => owner) : ownersOfWhole;
  const claimed = new Set<string>();
  const at = (element: string, inner: JsonValue, names: readonly string[]): OwnedValue => {
    for (const name of names) claimed.add(name);
    return ownedValue(inner, [...path, element], claimsAt(claims, names), below, missing);
  };
  if (isObject(value)) {
    const members = new Map<string, OwnedValue>();
    for (const key of Object.keys(value)) {
      const element = `f:${key}`;
      members.set(key, at(element, value[key]!, [element]));
    }
    reportMissing(path, claims, claimed, missing);
    return { ...known, members };
  }
  if (Array.isArray(value)) {
    const elements = elementsOf(value, claims);
    const items = value.map((item, index) => at(elements[index]![0] ?? `i:${index}`, item, elements[index]!));
    reportMissing(path, claims, claimed, missing);
    return { ...known, items };
  }
  reportMissing(path, claims, claimed, missing);
  return known;
}

/** The claims to what lies at an element, by whichever of its names an owner calls it. */
function claimsAt(claims: readonly Claim[], names: readonly string[]): readonly Claim[] {
  const found: Claim[] = [];
  for (const { owner, fields } of claims) {
    for (const name of names) {
      const below = fields.below.get(name);
      if (below) found.push({ owner, fields: below });
    }
  }
  return found;
}

function reportMissing(
  path: readonly string[],
  claims: readonly Claim[],
  claimed: ReadonlySet<string>,
  missing: MissingField[],
): void {
  for (const { owner, fields } of claims) {
    const unclaimed = [...fields.below].filter(([element]) => !claimed.has(element));
    if (unclaimed.length === 0) continue;
    for (const at of new FieldSet(false, new Map(unclaimed)).paths(path)) missing.push({ path: at, owner });
  }
}

/** Every value that somebody owns by itself, from the first to the last. */
export function* ownedValues(value: OwnedValue): Generator<OwnedValue, void> {
  if (value.owners.length > 0 && !value.isPart) yield value;
  for (const inner of value.members?.values() ?? value.items ?? []) yield* ownedValues(inner);
}
