// Server-side apply: presence and equality of values.
import { isObject, RawNumber } from '../../codec/json/json-value.ts';
import type { FieldShape } from './shape.ts';

/**
 * How struct members are read. `json`: a member is present if the JSON has it. `object`: from a decoded object, where
 * a member is present if the object's JSON would have it.
 */
export type Reading = 'json' | 'object';

type Members = Readonly<Record<string, unknown>>;

/** The value of a field: undefined if absent, null if null. */
export function memberOf(struct: Members, shape: FieldShape, reading: Reading): unknown {
  const { name, mayBeEmpty, omitEmpty } = shape;
  const value = struct[name];
  if (reading === 'json') return value;
  // A list or map without omitempty is owned by the writer that sends it empty, although it is stored as absent.
  const isPresent = value !== undefined && value !== null;
  if (isPresent && (!mayBeEmpty || !omitEmpty || !shape.field.type.isEmpty(value))) return value;
  if (value === null && shape.field.type.keepsNull) return null;
  if (omitEmpty) return undefined;
  const { type, optional } = shape.field;
  return optional || type.emptyJson === 'null' ? null : type.zero();
}

/** Deep equality; undefined members do not count. */
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
