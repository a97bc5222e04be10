// The `default` of fields, list elements and map values in the published OpenAPI.
import type { Field } from './struct.ts';
import type { Type, TypeCategory } from './type.ts';

/** OpenAPI publishes the zero value as default of a field that is always encoded, though the server never sets it. */
const zeroes: Partial<Record<TypeCategory, unknown>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  double: 0,
};

/** The default of a field in OpenAPI; undefined if it has none. */
export function openApiDefault(field: Field): unknown {
  if (field.default !== undefined && field.isDefaultPublished) return field.default;
  if (field.optional || (field.omitEmpty && field.type.category !== 'struct')) return undefined;
  return openApiZero(field.type);
}

/** The default of a list element or map value in OpenAPI. */
export function openApiZero(type: Type): unknown {
  return type.category === 'struct' ? {} : zeroes[type.category];
}
