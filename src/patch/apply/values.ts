// Server-side apply: equality of JSON values.
import { isObject, RawNumber } from '../../codec/json/json-value.ts';

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

/** RawNumber: a literal that JavaScript cannot represent exactly (`1.0`). Same text, or the same safe integer (`1`). */
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
