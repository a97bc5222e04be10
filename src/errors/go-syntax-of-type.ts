// Formats a value of a schema type in Go syntax (%#v), for error messages.
import { ListType, MapType } from '../schema/collections.ts';
import type { Struct } from '../schema/struct.ts';
import type { Type } from '../schema/type.ts';
import { FormattedValue } from './field-error.ts';
import { quote } from './quote.ts';

/** The value in Go syntax, with a placeholder for addresses. */
export function goSyntaxOfType(type: Type, value: unknown): FormattedValue {
  return new FormattedValue(text(type, value));
}

const nil = 'nil';
const addressPlaceholder = '0xc000000000';
const zeroTime = 'time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)';

function structText(type: Struct<unknown>, value: unknown): string {
  const values = value as Readonly<Record<string, unknown>>;
  const inner = new Map<string, string>();
  for (const [name, { type: fieldType, optional, inlined }] of Object.entries(type.fields)) {
    if (inlined) {
      const parent = typeName(inlined.struct);
      inner.set(parent.slice(parent.indexOf('.') + 1), structText(inlined.struct, value));
    } else {
      inner.set(
        memberName(name, fieldType),
        optional ? pointer(fieldType, values[name]) : text(fieldType, values[name]),
      );
    }
  }
  const members = [...inner].map(([name, shown]) => `${name}:${shown}`);
  return `${typeName(type)}{${members.join(', ')}}`;
}

function pointer(type: Type, value: unknown): string {
  if (type.form === 'time') return value ? `time.Date(${value})` : '<nil>';
  return `(*${typeName(type)})(${value === undefined || value === null ? nil : addressPlaceholder})`;
}

function text(type: Type, value: unknown): string {
  if (type instanceof ListType) {
    const name = `[]${typeName(type.element)}`;
    if (value === undefined) return `${name}(${nil})`;
    return `${name}{${(value as unknown[]).map((item) => text(type.element, item)).join(', ')}}`;
  }
  if (type instanceof MapType) {
    const name = `map[string]${typeName(type.element)}`;
    if (value === undefined) return `${name}(${nil})`;
    const entries = Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1));
    return `${name}{${entries.map(([key, item]) => `${quote(key)}:${text(type.element, item)}`).join(', ')}}`;
  }
  if (type.form === 'struct') return structText(type as Struct<unknown>, value);
  if (type.form === 'time') return value ? `time.Date(${value})` : zeroTime;
  if (type.form === 'string') return quote((value as string | undefined) ?? '');
  return String(value ?? type.zero());
}

/** The internal type: `resource/v1beta1.DeviceClaim` → `resource.DeviceClaim`. */
function typeName(type: Type & { readonly fullName?: string }): string {
  const { fullName } = type;
  if (!fullName) return type.name;
  const [group, name] = fullName.split('/');
  return group === 'meta' ? name! : `${group}${name!.slice(name!.indexOf('.'))}`;
}

const capitals: Readonly<Record<string, string>> = {
  uid: 'UID',
  cel: 'CEL',
  ips: 'IPs',
  seLinuxOptions: 'SELinuxOptions',
};

function memberName(name: string, type: Type): string {
  if (type.name === 'v1.ObjectMeta') return 'ObjectMeta';
  return capitals[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
