// Test fixture: an object with managedFields, written by updates and applies.
import { isObject, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';
import { stringifyJson } from '../../codec/json/stringify.ts';
import { compareObjects } from './compare.ts';
import { emptyFieldSet } from './field-set.ts';
import { pathElementOf } from './list-elements.ts';
import {
  allFields,
  areEqualIgnoringTime,
  changesByVersion,
  type FieldManager,
  type ManagedFieldSet,
  managersAfterUpdate,
} from './managed-fields.ts';
import type { MergeSchema, StructMergeSchema } from './merge-schema.ts';
import { structuredApply } from './structured-apply.ts';
import { isSameValue } from './values.ts';

/** An object and its field managers. */
export interface Tracked {
  readonly shape: StructMergeSchema;
  readonly object: JsonObject;
  readonly owners: readonly ManagedFieldSet[];
}

export const untouched = (schema: StructMergeSchema): Tracked => ({ shape: schema, object: {}, owners: [] });

const writer = (manager: string, operation: FieldManager['operation']): FieldManager => ({
  manager,
  operation,
  apiVersion: 'v1',
  subresource: '',
});

/** Replaces the object. */
export function updated(before: Tracked, manager: string, state: JsonObject, now = 'now'): Tracked {
  const { shape: schema } = before;
  const object = tidied(schema, state) as JsonObject;
  const changes = changesByVersion(
    () => compareObjects(schema, before.object, object, 'json'),
    emptyFieldSet,
  );
  const owners = managersAfterUpdate(before.owners, writer(manager, 'Update'), changes, now);
  return { shape: schema, object, owners };
}

/** Applies a configuration. Throws ApplyConflict. */
export function applied(
  before: Tracked,
  manager: string,
  configuration: JsonObject,
  { force = false, now = 'now' } = {},
): Tracked {
  const { shape: schema, owners } = before;
  const outcome = structuredApply({
    versions: { mergeSchema: () => schema, convert: (object) => object },
    // The kind is never removed.
    live: { kind: 'Test', ...before.object },
    owners,
    configuration: { kind: 'Test', ...configuration },
    writer: writer(manager, 'Apply'),
    force,
    untracked: emptyFieldSet,
    now,
  });
  if (!outcome.object) return { ...before, owners: outcome.owners };
  const { kind: _, ...rest } = outcome.object;
  const object = tidied(schema, rest) as JsonObject;
  const isAsBefore = areEqualIgnoringTime(outcome.owners, owners) && isSameValue(before.object, object);
  return isAsBefore ? before : { shape: schema, object, owners: outcome.owners };
}

/** A value after a round trip through the server: without nulls, and without empty lists and maps. */
export function tidied(schema: MergeSchema, value: JsonValue): JsonValue {
  if (schema.form === 'scalar' || schema.atomic) return value;
  if (schema.form === 'list') {
    return Array.isArray(value) ? value.map((item) => tidied(schema.element, item)) : value;
  }
  if (!isObject(value)) return value;
  const kept: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    const inner = (schema.form === 'struct' ? schema.byName.get(key)?.schema : schema.element) ?? schema;
    const tidy = tidied(inner, member);
    const isWhole = inner.form === 'scalar' || inner.atomic;
    if (tidy !== null && (isWhole || holdsSomething(tidy))) kept[key] = tidy;
  }
  return kept;
}

function holdsSomething(value: JsonValue): boolean {
  return Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
}

/** The text of each atomic value or scalar, by path. The order of associative lists does not count. */
export function leavesOf(
  schema: MergeSchema,
  value: JsonValue,
  path: readonly string[] = [],
  found: Map<string, string> = new Map(),
): ReadonlyMap<string, string> {
  if (schema.form === 'scalar' || schema.atomic) {
    found.set(pathText(path), stringifyJson(sortedJson(value)));
  } else if (schema.form === 'list') {
    for (const [index, item] of (value as JsonValue[]).entries()) {
      leavesOf(schema.element, item, [...path, pathElementOf(schema, item, index, 'json')], found);
    }
  } else {
    for (const [key, member] of Object.entries(value as JsonObject)) {
      const inner = schema.form === 'struct' ? schema.byName.get(key)!.schema : schema.element;
      leavesOf(inner, member, [...path, `f:${key}`], found);
    }
  }
  return found;
}

function sortedJson(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortedJson);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortedJson(value[key]!)]),
  );
}

/** A copy with ordinary prototypes. */
export const plain = (value: JsonValue): JsonValue => JSON.parse(JSON.stringify(value));

export const pathText = (path: readonly string[]) => path.join(' ');

/** The owned paths that end at an atomic value or scalar. */
export function ownedLeaves({ shape: schema, owners }: Tracked): readonly string[] {
  return [...allFields(owners).paths()].filter((path) => isLeaf(schema, path)).map(pathText);
}

function isLeaf(schema: MergeSchema, [element, ...rest]: readonly string[]): boolean {
  if (schema.form === 'scalar' || schema.atomic) return true;
  if (element === undefined) return false;
  const inner = schema.form === 'struct' ? schema.byName.get(element.slice(2))!.schema : schema.element;
  return isLeaf(inner, rest);
}

/** Managers and their paths, in an order independent of time. */
export function ownersOf({ owners }: Tracked): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    [...owners]
      .sort((left, right) => (left.manager < right.manager ? -1 : 1))
      .map(({ manager, operation, fields }) => [
        `${manager} ${operation}`,
        [...fields.paths()].map(pathText).sort(),
      ]),
  );
}
