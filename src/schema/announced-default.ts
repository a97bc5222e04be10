// Defaults as OpenAPI publishes them.
import type { Field } from './struct.ts';
import type { Form, Type } from './type.ts';

/** Zero values of fields that are always encoded. */
const zeroes: Partial<Record<Form, unknown>> = { string: '', bool: false, int32: 0, int64: 0, double: 0 };

/** The default of a field in OpenAPI, if any. */
export function announcedDefault(field: Field): unknown {
  if (field.default !== undefined && field.announced) return field.default;
  if (field.optional || (field.omitEmpty && field.type.form !== 'struct')) return undefined;
  return announcedZero(field.type);
}

/** The default of a list element or map value in OpenAPI. */
export function announcedZero(type: Type): unknown {
  return type.form === 'struct' ? {} : zeroes[type.form];
}
