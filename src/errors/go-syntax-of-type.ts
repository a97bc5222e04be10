// Formats a value of a schema type as fmt's %#v formats its Go type, for error messages that contain one.
import { ListType, MapType } from '../schema/collections.ts';
import type { Struct } from '../schema/struct.ts';
import type { Type } from '../schema/type.ts';
import { FormattedValue, formatItems } from './field-error.ts';
import { quote } from './quote.ts';

/** `core.Toleration{Key:"a", Effect:"", TolerationSeconds:(*int64)(nil)}`. */
export function goSyntaxOfType(type: Type, value: unknown): FormattedValue {
  return new FormattedValue(formatAsType(type, value));
}

const nil = 'nil';
/** Upstream prints a memory address, which differs per process. */
const addressPlaceholder = '0xc000000000';
const zeroTime = 'time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)';

function formatStruct(type: Struct<unknown>, value: unknown): string {
  const values = value as Readonly<Record<string, unknown>>;
  const memberTexts = new Map<string, string>();
  for (const [name, { type: fieldType, optional, inlined }] of Object.entries(type.fields)) {
    if (inlined) {
      const parent = typeName(inlined.struct);
      memberTexts.set(parent.slice(parent.indexOf('.') + 1), formatStruct(inlined.struct, value));
    } else {
      memberTexts.set(
        goFieldName(name, fieldType),
        optional ? formatPointer(fieldType, values[name]) : formatAsType(fieldType, values[name]),
      );
    }
  }
  const members = [...memberTexts].map(([name, text]) => `${name}:${text}`);
  return `${typeName(type)}{${members.join(', ')}}`;
}

function formatPointer(type: Type, value: unknown): string {
  if (type.category === 'time') return value ? `time.Date(${value})` : '<nil>';
  return `(*${typeName(type)})(${value === undefined || value === null ? nil : addressPlaceholder})`;
}

function formatAsType(type: Type, value: unknown): string {
  if (type instanceof ListType) {
    const name = `[]${typeName(type.element)}`;
    if (value === undefined) return `${name}(${nil})`;
    return `${name}{${formatItems(value as unknown[], (item) => formatAsType(type.element, item))}}`;
  }
  if (type instanceof MapType) {
    const name = `map[string]${typeName(type.element)}`;
    if (value === undefined) return `${name}(${nil})`;
    const entries = Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1));
    return `${name}{${formatItems(entries, ([key, item]) => `${quote(key)}:${formatAsType(type.element, item)}`)}}`;
  }
  if (type.category === 'struct') return formatStruct(type as Struct<unknown>, value);
  if (type.category === 'time') return value ? `time.Date(${value})` : zeroTime;
  if (type.category === 'string') return quote((value as string | undefined) ?? '');
  return String(value ?? type.zero());
}

/** The Go name of the internal type: `resource/v1beta1.DeviceClaim` → `resource.DeviceClaim`. */
function typeName(type: Type & { readonly fullName?: string }): string {
  const { fullName } = type;
  if (!fullName) return type.name;
  const [group, name] = fullName.split('/');
  return group === 'meta' ? name! : `${group}${name!.slice(name!.indexOf('.'))}`;
}

/** Go field names that are not the JSON name with an initial capital. */
const irregularFieldNames: Readonly<Record<string, string>> = {
  uid: 'UID',
  cel: 'CEL',
  ips: 'IPs',
  seLinuxOptions: 'SELinuxOptions',
};

function goFieldName(name: string, type: Type): string {
  if (type.name === 'v1.ObjectMeta') return 'ObjectMeta';
  return irregularFieldNames[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
