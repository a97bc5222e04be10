import { ShownAs } from './field-error.ts';
import { quote } from './quote.ts';

/** A field of a struct as messages show it: its name and value, or its name, the type pointed to, and the value if any. */
type GoField =
  | readonly [name: string, value: string | number | boolean]
  | readonly [name: string, pointerTo: string, value: unknown];

/** Where a message shows an address in memory, this stands for it. */
const somewhere = '0xc000000000';

/** A struct the way some messages show it: `core.SeccompProfile{Type:"x", LocalhostProfile:(*string)(nil)}`. */
export function goStruct(name: string, fields: readonly GoField[]): ShownAs {
  const shown = fields.map((field) => {
    if (field.length === 2) {
      const [key, value] = field;
      return `${key}:${typeof value === 'string' ? quote(value) : value}`;
    }
    const [key, type, value] = field;
    return `${key}:(*${type})(${value === undefined ? 'nil' : somewhere})`;
  });
  return new ShownAs(`${name}{${shown.join(', ')}}`);
}
