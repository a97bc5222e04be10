// Server-side apply: presence and equality of values.
import { isObject, RawNumber } from '../../codec/json/json-value.ts';
import type { FieldMergeSchema } from './merge-schema.ts';

/**
 * Where values come from, which decides when a struct field is present. `json`: a member is present if the JSON has it. `object`: from a decoded object, where
 * a member is present if the object's JSON would have it.
 */
export type ValueSource = 'json' | 'object';

type Members = Readonly<Record<string, unknown>>;

/** The value of a field: undefined if absent, null if null. */
export function fieldValue(struct: Members, schema: FieldMergeSchema, source: ValueSource): unknown {
  const { name, mayBeEmpty, omitEmpty } = schema;
  const value = struct[name];
  if (source === 'json') return value;
  // A list or map without omitempty is owned by the writer that sends it empty, although it is stored as absent.
  const isPresent = value !== undefined && value !== null;
  if (isPresent && (!mayBeEmpty || !omitEmpty || !schema.field.type.isEmpty(value))) return value;
  if (value === null && schema.field.type.keepsNull) return null;
  if (omitEmpty) return undefined;
  const { type, optional } = schema.field;
  return optional || type.emptyJson === 'null' ? null : type.zero();
}

/** Deep equality; undefined members do not count. */
export function isSameValue(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((value, i) => isSameValue(value, right[i]))
    );
  }
  if (isObject(left)) {
    if (!isObject(right)) return false;
    for (const key in left) if (!isSameValue(left[key], right[key])) return false;
    for (const key in right) if (right[key] !== undefined && left[key] === undefined) return false;
    return true;
  }
  return isSameNumber(left, right);
}

function isSameNumber(left: unknown, right: unknown): boolean {
  if (!(left instanceof RawNumber) && !(right instanceof RawNumber)) return false;
  if (!isNumber(left) || !isNumber(right)) return false;
  return (
    String(left) === String(right) || (Number(left) === Number(right) && Number.isSafeInteger(Number(left)))
  );
}

function isNumber(value: unknown): value is number | RawNumber {
  return typeof value === 'number' || value instanceof RawNumber;
}
