// CEL interpreter: field selection, indexing and has().
import { fail } from './errors.ts';
import { CelObject } from './types.ts';
import {
  CelMap,
  Double,
  FieldsObject,
  fromJson,
  isList,
  isPlainMap,
  lookUp,
  Optional,
  typeOfValue,
  Uint,
  type Value,
} from './values.ts';

/** Structs are plain objects: these names look like fields of all of them. */
const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** `value.field`. */
export function selectField(value: Value, field: string): Value {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    if (value instanceof CelObject) return selectFromObject(value, field);
    const member = (value as Record<string, unknown>)[field];
    if (typeof member === 'string' || typeof member === 'boolean') return member;
    if (member !== undefined && (!inherited.has(field) || Object.hasOwn(value, field)))
      return fromJson(member);
  }
  return isList(value) ? fail(`unsupported index type 'string' in list`) : fail(`no such key: ${field}`);
}

/** `value.field`, where the field goes by the first of these names that is there. */
export function selectAnyField(value: Value, names: readonly string[]): Value {
  const found = isContainer(value) ? names.find((name) => lookUp(value, name) !== undefined) : undefined;
  return selectField(value, found ?? names[0]!);
}

function selectFromObject(value: CelObject, field: string): Value {
  if (value instanceof FieldsObject) return found(value.get(field), 'no such key: ', field);
  if (value instanceof CelMap) return found(value.get(field), 'no such key: ', field);
  if (value instanceof Optional) return selectOptional(value, field);
  return fail(`no such key: ${field}`);
}

/** Null is a value like others. */
function found(value: Value | undefined, problem: string, key: Value): Value {
  return value === undefined ? fail(problem + showKey(key)) : value;
}

/** `value.?field`: an optional, empty where the field is absent. */
export function selectOptional(value: Value, field: Value): Value {
  const inner = value instanceof Optional ? value.value : value;
  if (inner === undefined) return Optional.none;
  const member = isList(inner) ? elementAt(inner, field) : findMember(inner, field);
  return member === undefined ? Optional.none : new Optional(member);
}

function findMember(value: Value, key: Value): Value | undefined {
  return isContainer(value) ? lookUp(value, key) : fail(`no such key: ${showKey(key)}`);
}

function isContainer(value: Value): boolean {
  return value instanceof CelMap || value instanceof FieldsObject || isPlainMap(value);
}

/** `has(value.field)`. */
export function hasField(value: Value, field: string): boolean {
  if (value instanceof Optional) return value.value !== undefined && hasField(value.value, field);
  if (isContainer(value)) return lookUp(value, field) !== undefined;
  return value === null || typeof value === 'string' ? false : fail('no such overload');
}

/** `has(value.field)`, where the field goes by one of these names. */
export function hasAnyField(value: Value, names: readonly string[]): boolean {
  return names.some((name) => hasField(value, name));
}

/** `value[key]`. */
export function index(value: Value, key: Value): Value {
  if (isList(value)) {
    return found(elementAt(value, key), 'index out of bounds: ', key);
  }
  if (value instanceof Optional) return selectOptional(value, key);
  if (!isContainer(value)) return fail('no such overload');
  if (typeof key === 'object' && !(key instanceof Uint) && !(key instanceof Double)) {
    return fail(`unsupported key type: ${typeOfValue(key).name}`);
  }
  return found(lookUp(value, key), 'no such key: ', key);
}

/** The element at an index of any kind of number, as long as it is whole; undefined beyond either end. */
function elementAt(list: readonly Value[], key: Value): Value | undefined {
  let at: number;
  if (typeof key === 'number') at = key;
  else if (typeof key === 'bigint') at = Number(key);
  else if (key instanceof Uint) at = Number(key.value);
  else if (key instanceof Double) {
    if (!Number.isInteger(key.value)) fail(`unsupported index value ${key.value} in list`);
    at = key.value;
  } else return fail(`unsupported index type '${typeOfValue(key).name}' in list`);
  return at >= 0 && at < list.length ? fromJson(list[at]) : undefined;
}

function showKey(key: Value): string {
  return key instanceof Uint || key instanceof Double ? `${key.value}` : `${key as string}`;
}
