import { quote } from '../../errors/quote.ts';
import { ListType, MapType } from '../../schema/collections.ts';
import { parseQuantity } from '../../schema/quantity.ts';
import { type Field, Struct } from '../../schema/struct.ts';
import type { Type } from '../../schema/type.ts';
import { LabelSelector } from './label-selector.ts';
import { nothing, type ShownEntry, type ShownValue, shownPlain, shownText } from './shown-value.ts';

/** What the inside of structs is called where that is not the field's name in JSON with a capital letter. */
export interface ShownNames {
  /** By the struct's name with package, then the field's: its name, in the order in which fields are shown. */
  readonly fields: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The fields that are abbreviations everywhere. */
const abbreviated: Readonly<Record<string, string>> = {
  apiGroup: 'APIGroup',
  apiVersion: 'APIVersion',
  fsType: 'FSType',
  uid: 'UID',
};

/** A value of a schema's struct as the reference's structs of the package `core` would show it. */
export function shownStruct(schema: Struct<unknown>, value: unknown, names: ShownNames): ShownValue {
  const values = value as Readonly<Record<string, unknown>>;
  const own = names.fields[schema.fullName] ?? {};
  const order = [...Object.keys(own), ...Object.keys(schema.fields).filter((name) => !(name in own))];
  const fields = order.map((name): ShownEntry => {
    const field = schema.fields[name]!;
    const key = own[name] ?? abbreviated[name] ?? name[0]!.toUpperCase() + name.slice(1);
    return { key, value: shownField(field, values[name], names) };
  });
  return { kind: 'struct', type: typeName(schema.fullName), fields };
}

/** `core/v1.Pod` is core.Pod; the types of the package `meta` keep their version. */
function typeName(fullName: string): string {
  const name = fullName.slice(fullName.indexOf('.') + 1);
  return fullName.startsWith('meta/v1.')
    ? `v1.${name}`
    : `${fullName.slice(0, fullName.indexOf('/'))}.${name}`;
}

function shownField({ type, optional }: Field, value: unknown, names: ShownNames): ShownValue {
  const isPointer = optional && !(type instanceof ListType) && !(type instanceof MapType);
  if (value === undefined || value === null) {
    const isThere = !optional && !(type instanceof ListType) && !(type instanceof MapType);
    return isThere ? shown(type, type.zero(), names) : nothing;
  }
  const to = shown(type, value, names);
  if (!isPointer) return to;
  if (type !== LabelSelector) return { kind: 'pointer', to };
  return { kind: 'pointer', to, as: selectorText(value as LabelSelector) };
}

function shown(type: Type, value: unknown, names: ShownNames): ShownValue {
  if (type instanceof Struct) return shownStruct(type, value, names);
  if (type instanceof ListType) {
    const items = (value as unknown[]).map((item) => shown(type.element, item, names));
    return { kind: 'list', type: `[]${elementName(type.element)}`, items };
  }
  if (type instanceof MapType) return shownMap(type, value as Record<string, unknown>, names);
  if (type.form === 'quantity') return shownAmount(value as string);
  return typeof value === 'string' ? shownText(value) : shownPlain(value as number | boolean);
}

/** The names of resources have a way of their own to be shown, which marks them. */
function shownMap(
  type: MapType<unknown>,
  value: Readonly<Record<string, unknown>>,
  names: ShownNames,
): ShownValue {
  const isResourceList = type.name === 'v1.ResourceList';
  const entries = Object.keys(value)
    .sort()
    .map((key) => ({
      key: isResourceList ? `s${quote(key)}` : quote(key),
      value: shown(type.element, value[key], names),
    }));
  return { kind: 'map', type: isResourceList ? 'core.ResourceList' : type.name, entries };
}

function elementName(element: Type): string {
  return element instanceof Struct ? typeName(element.fullName) : element.name.replace('v1.', 'core.');
}

/** Amounts are compared by what they amount to. */
function shownAmount(text: string): ShownValue {
  const parsed = parseQuantity(text);
  if ('problem' in parsed) throw new Error(`${quote(text)} is no quantity`);
  const amount: ShownValue = {
    kind: 'struct',
    type: 'resource.int64Amount',
    fields: [
      { key: 'value', value: shownPlain(Number(parsed.amount)) },
      { key: 'scale', value: shownPlain(parsed.scale) },
    ],
  };
  return {
    kind: 'struct',
    type: 'resource.Quantity',
    whole: true,
    fields: [
      { key: 'i', value: amount },
      { key: 's', value: shownText(parsed.text) },
      { key: 'Format', value: shownText(parsed.format) },
    ],
  };
}

/** A selector as text where one comes or goes. */
function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.keys(matchLabels)
    .sort()
    .map((key) => `${key}: ${matchLabels[key]},`);
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return (
    `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},` +
    `MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`
  );
}
