// CEL interpreter: field selection, indexing and has().
import { fail } from './errors.ts';
import { CelObject } from './types.ts';
import {
  CelMap,
  CelOptional,
  Double,
  FieldsObject,
  fromJson,
  isJsonMap,
  isList,
  lookUp,
  typeOfValue,
  Uint,
  type Value,
} from './values.ts';

/** Structs are plain objects, which inherit properties with these names. */
const objectPrototypeNames: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** `value.field`. */
export function selectField(value: Value, field: string): Value {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    if (value instanceof CelObject) return selectFromObject(value, field);
    const member = (value as Record<string, unknown>)[field];
    // Fast path: no inherited property is a string or a boolean.
    if (typeof member === 'string' || typeof member === 'boolean') return member;
    if (member !== undefined && (!objectPrototypeNames.has(field) || Object.hasOwn(value, field)))
      return fromJson(member);
  }
  return isList(value) ? fail(`unsupported index type 'string' in list`) : fail(`no such key: ${field}`);
}

/** `value.field` for a field with several names: the first that is present counts. */
export function selectAnyField(value: Value, names: readonly string[]): Value {
  const presentName = isContainer(value)
    ? names.find((name) => lookUp(value, name) !== undefined)
    : undefined;
  return selectField(value, presentName ?? names[0]!);
}

function selectFromObject(value: CelObject, field: string): Value {
  if (value instanceof FieldsObject) return requireFound(value.get(field), 'no such key: ', field);
  if (value instanceof CelMap) return requireFound(value.get(field), 'no such key: ', field);
  if (value instanceof CelOptional) return selectOptional(value, field);
  return fail(`no such key: ${field}`);
}

/** Null is a value; only undefined is absent. */
function requireFound(value: Value | undefined, problem: string, key: Value): Value {
  return value === undefined ? fail(problem + formatKey(key)) : value;
}

/** `value.?field`: an optional, empty if the field is absent. */
export function selectOptional(value: Value, field: Value): Value {
  const inner = value instanceof CelOptional ? value.value : value;
  if (inner === undefined) return CelOptional.none;
  const member = isList(inner) ? elementAt(inner, field) : findMember(inner, field);
  return member === undefined ? CelOptional.none : new CelOptional(member);
}

function findMember(value: Value, key: Value): Value | undefined {
  return isContainer(value) ? lookUp(value, key) : fail(`no such key: ${formatKey(key)}`);
}

function isContainer(value: Value): boolean {
  return value instanceof CelMap || value instanceof FieldsObject || isJsonMap(value);
}

/** `has(value.field)`. */
export function hasField(value: Value, field: string): boolean {
  if (value instanceof CelOptional) return value.value !== undefined && hasField(value.value, field);
  if (isContainer(value)) return lookUp(value, field) !== undefined;
  return value === null || typeof value === 'string' ? false : fail('no such overload');
}

/** `has(value.field)` for a field with several names. */
export function hasAnyField(value: Value, names: readonly string[]): boolean {
  return names.some((name) => hasField(value, name));
}

/** `value[key]`. */
export function selectIndex(value: Value, key: Value): Value {
  if (isList(value)) {
    return requireFound(elementAt(value, key), 'index out of bounds: ', key);
  }
  if (value instanceof CelOptional) return selectOptional(value, key);
  if (!isContainer(value)) return fail('no such overload');
  if (typeof key === 'object' && !(key instanceof Uint) && !(key instanceof Double)) {
    return fail(`unsupported key type: ${typeOfValue(key).name}`);
  }
  return requireFound(lookUp(value, key), 'no such key: ', key);
}

/** The index may be an int, a uint or a double without a fraction. Undefined if it is out of bounds. */
function elementAt(list: readonly Value[], key: Value): Value | undefined {
  let index: number;
  if (typeof key === 'number') index = key;
  else if (typeof key === 'bigint') index = Number(key);
  else if (key instanceof Uint) index = Number(key.value);
  else if (key instanceof Double) {
    if (!Number.isInteger(key.value)) fail(`unsupported index value ${key.value} in list`);
    index = key.value;
  } else return fail(`unsupported index type '${typeOfValue(key).name}' in list`);
  return index >= 0 && index < list.length ? fromJson(list[index]) : undefined;
}

function formatKey(key: Value): string {
  return key instanceof Uint || key instanceof Double ? `${key.value}` : `${key as string}`;
}
