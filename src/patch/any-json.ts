// Schema type for arbitrary JSON in patches, which reports duplicate keys for field validation, and numbers beyond float64.
import { isObject, type JsonValue, nullPrototypeObject, RawNumber } from '../codec/json/json-value.ts';
import { RawType } from '../schema/collections.ts';
import type { Decoding } from '../schema/decoding.ts';

class AnyJsonType extends RawType {
  override read(value: JsonValue, decoding?: Decoding): JsonValue {
    if (decoding) inspect(value, decoding);
    return value;
  }
}

function inspect(value: JsonValue, decoding: Decoding): void {
  if (typeof value !== 'object') return;
  if (value instanceof RawNumber) {
    if (!Number.isFinite(value.valueOf()))
      decoding.reportFault(decoding.mismatchMessage(`number ${value.text}`, 'float64'));
    return;
  }
  if (Array.isArray(value)) {
    for (const [i, element] of value.entries()) {
      decoding.enterElement(i);
      inspect(element, decoding);
      decoding.leaveElement();
    }
  } else if (isObject(value)) {
    const repeated = decoding.repeatedKeys(value);
    for (const key in value) {
      decoding.enterElement(key);
      inspect(value[key]!, decoding);
      decoding.leaveElement();
      if (repeated?.has(key)) decoding.reportDuplicateField(key);
    }
  }
}

/** Any JSON value; its Go type in error messages is `interface {}`. */
export const anyJson = new AnyJsonType('interface {}');

/** Returns a copy of the object with sorted keys. */
export function sortKeys<T>(object: Readonly<Record<string, T>>): Record<string, T> {
  const ordered = nullPrototypeObject<T>();
  for (const key of Object.keys(object).sort()) ordered[key] = object[key]!;
  return ordered;
}
