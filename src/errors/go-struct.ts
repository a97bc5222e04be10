// Formats a Go struct as fmt's %#v does, for error messages that contain one.
import { FormattedValue } from './field-error.ts';
import { quote } from './quote.ts';

/** A field of a struct: name and value, or name, pointee type and optional value. */
type GoField =
  | readonly [name: string, value: string | number | boolean]
  | readonly [name: string, pointerTo: string, value: unknown];

/** Upstream prints a memory address, which differs per process. */
const addressPlaceholder = '0xc000000000';

/** `core.SeccompProfile{Type:"x", LocalhostProfile:(*string)(nil)}`. */
export function goStruct(name: string, fields: readonly GoField[]): FormattedValue {
  const members = fields.map((field) => {
    if (field.length === 2) {
      const [key, value] = field;
      return `${key}:${typeof value === 'string' ? quote(value) : value}`;
    }
    const [key, type, value] = field;
    return `${key}:(*${type})(${value === undefined ? 'nil' : addressPlaceholder})`;
  });
  return new FormattedValue(`${name}{${members.join(', ')}}`);
}
