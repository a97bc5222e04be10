// Deep equality of JSON values, for the `test` operation of JSON Patch.
import { isObject, type JsonValue, RawNumber } from '../codec/json/json-value.ts';

/** Deep equality, regardless of key order. Numbers are equal if their text is. */
export function isJsonEqual(one: JsonValue, other: JsonValue): boolean {
  if (one instanceof RawNumber || other instanceof RawNumber) {
    return isNumber(one) && isNumber(other) && String(one) === String(other);
  }
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((value, i) => isJsonEqual(value, other[i]!))
    );
  }
  if (!isObject(one) || !isObject(other)) return one === other;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isJsonEqual(one[key]!, other[key]!))
  );
}

const isNumber = (value: JsonValue) => typeof value === 'number' || value instanceof RawNumber;
