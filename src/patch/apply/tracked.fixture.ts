// Test fixture: an object with managedFields, written by updates and applies.
import { isObject, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';
import { stringifyJson } from '../../codec/json/stringify.ts';
import { structuredApply } from './apply-intent.ts';
import { compareObjects } from './compare.ts';
import { elementName } from './elements.ts';
import { emptyFieldSet } from './field-set.ts';
import { allFields, type FieldManager, isSameButTimes, type ManagedFields } from './owners.ts';
import { changesByVersion, ownersAfterUpdate } from './ownership.ts';
import type { MergeSchema, StructShape } from './shape.ts';
import { isSameValue } from './values.ts';

/** An object and its field managers. */
export interface Tracked {
  readonly shape: StructShape;
  readonly object: JsonObject;
  readonly owners: readonly ManagedFields[];
}

export const untouched = (shape: StructShape): Tracked => ({ shape, object: {}, owners: [] });

const writer = (manager: string, operation: FieldManager['operation']): FieldManager => ({
  manager,
  operation,
  apiVersion: 'v1',
  subresource: '',
});

/** Replaces the object. */
export function updated(before: Tracked, manager: string, state: JsonObject, now = 'now'): Tracked {
  const { shape } = before;
  const object = tidied(shape, state) as JsonObject;
  const changes = changesByVersion(() => compareObjects(shape, before.object, object, 'json'), emptyFieldSet);
  const owners = ownersAfterUpdate(before.owners, writer(manager, 'Update'), changes, now);
  return { shape, object, owners };
}

/** Applies a configuration. Throws ApplyConflict. */
export function applied(
  before: Tracked,
  manager: string,
  intent: JsonObject,
  { force = false, now = 'now' } = {},
): Tracked {
  const { shape, owners } = before;
  const outcome = structuredApply({
    versions: { shape: () => shape, convert: (object) => object },
    // The kind is never removed.
    live: { kind: 'Test', ...before.object },
    owners,
    intent: { kind: 'Test', ...intent },
    writer: writer(manager, 'Apply'),
    force,
    untracked: emptyFieldSet,
    now,
  });
  if (!outcome.object) return { ...before, owners: outcome.owners };
  const { kind: _, ...rest } = outcome.object;
  const object = tidied(shape, rest) as JsonObject;
  const isAsBefore = isSameButTimes(outcome.owners, owners) && isSameValue(before.object, object);
  return isAsBefore ? before : { shape, object, owners: outcome.owners };
}

/** A value after a round trip through the server: without nulls, and without empty lists and maps. */
export function tidied(shape: MergeSchema, value: JsonValue): JsonValue {
  if (shape.form === 'scalar' || shape.atomic) return value;
  if (shape.form === 'list') {
    return Array.isArray(value) ? value.map((item) => tidied(shape.element, item)) : value;
  }
  if (!isObject(value)) return value;
  const kept: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    const inner = (shape.form === 'struct' ? shape.byName.get(key)?.shape : shape.element) ?? shape;
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
  shape: MergeSchema,
  value: JsonValue,
  path: readonly string[] = [],
  found: Map<string, string> = new Map(),
): ReadonlyMap<string, string> {
  if (shape.form === 'scalar' || shape.atomic) {
    found.set(pathText(path), stringifyJson(sortedJson(value)));
  } else if (shape.form === 'list') {
    for (const [index, item] of (value as JsonValue[]).entries()) {
      leavesOf(shape.element, item, [...path, elementName(shape, item, index, 'json')], found);
    }
  } else {
    for (const [key, member] of Object.entries(value as JsonObject)) {
      const inner = shape.form === 'struct' ? shape.byName.get(key)!.shape : shape.element;
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
export function ownedLeaves({ shape, owners }: Tracked): readonly string[] {
  return [...allFields(owners).paths()].filter((path) => isLeaf(shape, path)).map(pathText);
}

function isLeaf(shape: MergeSchema, [element, ...rest]: readonly string[]): boolean {
  if (shape.form === 'scalar' || shape.atomic) return true;
  if (element === undefined) return false;
  const inner = shape.form === 'struct' ? shape.byName.get(element.slice(2))!.shape : shape.element;
  return isLeaf(inner, rest);
}

/** Managers and their paths, in an order independent of time. */
export function ownersOf({ owners }: Tracked): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    [...owners]
      .sort((one, other) => (one.manager < other.manager ? -1 : 1))
      .map(({ manager, operation, fields }) => [
        `${manager} ${operation}`,
        [...fields.paths()].map(pathText).sort(),
      ]),
  );
}
