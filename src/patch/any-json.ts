import { isObject, type JsonValue, userKeyed } from '../codec/json/json-value.ts';
import type { Decoding } from '../schema/decoding.ts';
import { RawType } from '../schema/raw.ts';

/** Any JSON, in which keys that came twice are found. */
class AnyJsonType extends RawType {
  override read(value: JsonValue, decoding?: Decoding): JsonValue {
    if (decoding) findRepeated(value, decoding);
    return value;
  }
}

function findRepeated(value: JsonValue, decoding: Decoding): void {
  if (typeof value !== 'object') return;
  if (Array.isArray(value)) {
    for (const [i, element] of value.entries()) {
      decoding.enterElement(i);
      findRepeated(element, decoding);
      decoding.leaveElement();
    }
  } else if (isObject(value)) {
    const repeated = decoding.repeatedKeys(value);
    for (const key in value) {
      decoding.enterElement(key);
      findRepeated(value[key]!, decoding);
      decoding.leaveElement();
      if (repeated?.has(key)) decoding.duplicateField(key);
    }
  }
}

export const anyJson = new AnyJsonType('interface {}');

/** The same object with its keys in order. */
export function inKeyOrder<T>(object: Readonly<Record<string, T>>): Record<string, T> {
  const ordered = userKeyed<T>();
  for (const key of Object.keys(object).sort()) ordered[key] = object[key]!;
  return ordered;
}
