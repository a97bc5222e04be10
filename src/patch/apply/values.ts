import { isObject, type JsonValue, RawNumber } from '../../codec/json/json-value.ts';
import type { FieldShape } from './shape.ts';

/**
 * How the members of a struct are read. `json`: a member is there if the JSON has it. `object`: from an object as the
 * server holds it, where a member is there if the object's JSON would have it.
 */
export type Reading = 'json' | 'object';

type Members = Readonly<Record<string, unknown>>;

/** What a struct says in a field: undefined for nothing at all, null for null. */
export function memberOf(struct: Members, shape: FieldShape, reading: Reading): unknown {
  const { name, mayBeEmpty, omitEmpty } = shape;
  const value = struct[name];
  if (reading === 'json') return value;
  // A list or map that is always written belongs to who sends it empty, though it is stored as none.
  const isThere = value !== undefined && value !== null;
  if (isThere && (!mayBeEmpty || !omitEmpty || !shape.field.type.isEmpty(value))) return value;
  if (value === null && shape.field.type.keepsNull) return null;
  if (omitEmpty) return undefined;
  const { type, optional } = shape.field;
  return optional || type.emptyJson === 'null' ? null : type.zero();
}

/** Whether two values say the same. Keys that hold nothing at all do not count. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((value, i) => isSameValue(value, other[i]))
    );
  }
  if (isObject(one)) {
    if (!isObject(other)) return false;
    for (const key in one) if (!isSameValue(one[key], other[key])) return false;
    for (const key in other) if (other[key] !== undefined && one[key] === undefined) return false;
    return true;
  }
  return isSameNumber(one, other);
}

function isSameNumber(one: unknown, other: unknown): boolean {
  if (!(one instanceof RawNumber) && !(other instanceof RawNumber)) return false;
  if (!isNumber(one) || !isNumber(other)) return false;
  return (
    String(one) === String(other) || (Number(one) === Number(other) && Number.isSafeInteger(Number(one)))
  );
}

function isNumber(value: unknown): value is number | RawNumber {
  return typeof value === 'number' || value instanceof RawNumber;
}

/** Whether a list or map holds anything. */
export function hasContent(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) for (const key in value) if ((value as Members)[key] !== undefined) return true;
  return false;
}

export type { JsonValue };
