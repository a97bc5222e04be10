import type { JSONSchemaProps } from '../api/apiextensions/json-schema.ts';
import { isObject, type JsonValue } from '../codec/json/json-value.ts';

/** A value within an object, where it is, and what the schema says of it. */
export interface Part {
  readonly value: JsonValue;
  readonly schema: JSONSchemaProps;
  readonly path: string;
}

/** A value and all within it that the schema speaks of. */
export function* partsOf(value: JsonValue, schema: JSONSchemaProps, path: string): Generator<Part, void> {
  yield { value, schema, path };
  const { items, properties = {}, additionalProperties } = schema;
  if (Array.isArray(value)) {
    if (!items || Array.isArray(items)) return;
    for (const [index, item] of value.entries()) yield* partsOf(item, items, `${path}[${index}]`);
  } else if (isObject(value)) {
    for (const key in value) {
      if (Object.hasOwn(properties, key)) {
        yield* partsOf(value[key]!, properties[key]!, path === '' ? key : `${path}.${key}`);
      } else if (typeof additionalProperties === 'object') {
        yield* partsOf(value[key]!, additionalProperties, `${path}[${key}]`);
      }
    }
  }
}
