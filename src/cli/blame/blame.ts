// Field ownership of an object (`orch blame`): which manager owns which value, from managedFields.
import { isObject, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';
import { decodeFieldsV1, FieldSet } from '../../patch/apply/field-set.ts';
import { findItemElements } from './list-elements.ts';

/** A managedFields entry without its fields. */
export interface FieldOwner {
  readonly manager: string;
  readonly operation: string;
  readonly apiVersion: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** The entry's time, if it has one. */
  readonly time: string | undefined;
}

/** A value of an object and the field managers that own it. */
export interface OwnedValue {
  /** Path elements, as FieldsV1 writes them. */
  readonly path: readonly string[];
  readonly value: JsonValue;
  /** Several if the field is shared, none if no manager owns it. */
  readonly owners: readonly FieldOwner[];
  /** Owned only as part of an atomic value, such as an item of an atomic list. */
  readonly isPart: boolean;
  /** The members of an object, by key. */
  readonly members?: ReadonlyMap<string, OwnedValue>;
  /** The items of a list. */
  readonly items?: readonly OwnedValue[];
}

/** The field managers of an object. */
export interface Blame {
  /** In the order of managedFields. */
  readonly owners: readonly FieldOwner[];
  /** The object without managedFields. */
  readonly root: OwnedValue;
  /** Owned fields that the object lacks: omitted because empty, or named differently in the manager's version. */
  readonly missing: readonly MissingField[];
  /** Managers whose fieldsV1 cannot be parsed. */
  readonly unreadable: readonly FieldOwner[];
}

interface MissingField {
  readonly path: readonly string[];
  readonly owner: FieldOwner;
}

/** Computes field ownership from the object alone, of any kind and from any server, without its schema. */
export function computeBlame(object: JsonObject): Blame {
  const { entries, objectWithout } = splitManagedFields(object);
  const owners: FieldOwner[] = [];
  const unreadable: FieldOwner[] = [];
  const claims: Claim[] = [];
  for (const entry of entries) {
    const owner = ownerOf(entry);
    const fields = decodeFieldsV1(entry.fieldsV1);
    owners.push(owner);
    if (fields) claims.push({ owner, fields });
    else unreadable.push(owner);
  }
  const missing: MissingField[] = [];
  const root = buildOwnedValue(objectWithout, [], claims, [], missing);
  return { owners, root, missing, unreadable };
}

/** The fields of a manager at and below a path. */
interface Claim {
  readonly owner: FieldOwner;
  readonly fields: FieldSet;
}

/** Separates the managedFields entries from the object. */
function splitManagedFields(object: JsonObject): {
  entries: readonly JsonObject[];
  objectWithout: JsonObject;
} {
  const { metadata } = object;
  if (!isObject(metadata)) return { entries: [], objectWithout: object };
  const { managedFields, ...otherMetadata } = metadata;
  const entries = Array.isArray(managedFields) ? managedFields.filter(isObject) : [];
  return { entries, objectWithout: { ...object, metadata: otherMetadata } };
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

/**
 * Builds the tree of a value. `claims` are those at and below `path`; `ownersOfWhole` own an enclosing value as a whole.
 * Adds claimed fields that the value lacks to `missing`.
 */
function buildOwnedValue(
  value: JsonValue,
  path: readonly string[],
  claims: readonly Claim[],
  ownersOfWhole: readonly FieldOwner[],
  missing: MissingField[],
): OwnedValue {
  const directOwners = claims.filter(({ fields }) => fields.isMember).map(({ owner }) => owner);
  const isPart = directOwners.length === 0 && ownersOfWhole.length > 0;
  const common = { path, value, owners: isPart ? ownersOfWhole : directOwners, isPart };
  // A manager that owns a path and nothing below it owns the value as a whole, as with an atomic list or map.
  const wholeClaims = claims.filter(({ fields }) => fields.isMember && fields.below.size === 0);
  const inheritedOwners = wholeClaims.length > 0 ? wholeClaims.map(({ owner }) => owner) : ownersOfWhole;
  const claimed = new Set<string>();
  const childAt = (element: string, inner: JsonValue, names: readonly string[]): OwnedValue => {
    for (const name of names) claimed.add(name);
    return buildOwnedValue(inner, [...path, element], claimsAt(claims, names), inheritedOwners, missing);
  };
  if (isObject(value)) {
    const members = new Map<string, OwnedValue>();
    for (const key of Object.keys(value)) {
      const element = `f:${key}`;
      members.set(key, childAt(element, value[key]!, [element]));
    }
    reportMissing(path, claims, claimed, missing);
    return { ...common, members };
  }
  if (Array.isArray(value)) {
    const elements = findItemElements(value, claims);
    const items = value.map((item, index) =>
      childAt(elements[index]![0] ?? `i:${index}`, item, elements[index]!),
    );
    reportMissing(path, claims, claimed, missing);
    return { ...common, items };
  }
  reportMissing(path, claims, claimed, missing);
  return common;
}

/** The claims at a list element or field, under any of its path elements. */
function claimsAt(claims: readonly Claim[], names: readonly string[]): readonly Claim[] {
  const claimsBelow: Claim[] = [];
  for (const { owner, fields } of claims) {
    for (const name of names) {
      const below = fields.below.get(name);
      if (below) claimsBelow.push({ owner, fields: below });
    }
  }
  return claimsBelow;
}

/** Adds the claimed fields directly below `path` that are not in `claimed` to `missing`. */
function reportMissing(
  path: readonly string[],
  claims: readonly Claim[],
  claimed: ReadonlySet<string>,
  missing: MissingField[],
): void {
  for (const { owner, fields } of claims) {
    const notFound = [...fields.below].filter(([element]) => !claimed.has(element));
    if (notFound.length === 0) continue;
    const claimedPaths = new FieldSet(false, new Map(notFound)).paths(path);
    for (const claimedPath of claimedPaths) missing.push({ path: claimedPath, owner });
  }
}

/** Every value with managers of its own, in document order. */
export function* ownedValues(value: OwnedValue): Generator<OwnedValue, void> {
  if (value.owners.length > 0 && !value.isPart) yield value;
  for (const inner of value.members?.values() ?? value.items ?? []) yield* ownedValues(inner);
}
