import type { Field } from './struct.ts';
import type { Form, Type } from './type.ts';

/** What a field holds that is always written, though nothing was said; also what an element may be left out for. */
const zeroes: Partial<Record<Form, unknown>> = { string: '', bool: false, int32: 0, int64: 0, double: 0 };

/** The default of a field that clients are told of. */
export function announcedDefault(field: Field): unknown {
  if (field.default !== undefined && field.announced) return field.default;
  if (field.optional || (field.omitEmpty && field.type.form !== 'struct')) return undefined;
  return announcedZero(field.type);
}

/** What stands for nothing where a value of this type must be. */
export function announcedZero(type: Type): unknown {
  return type.form === 'struct' ? {} : zeroes[type.form];
}
