// Formats API values as Go structs, for error messages in which kube-apiserver prints a diff or a struct.

import { stringifyJson } from '../../codec/json/stringify.ts';
import { type GoEntry, type GoValue, goNil, goScalar, goString } from '../../errors/go-value.ts';
import { quote } from '../../errors/quote.ts';
import { ListType, MapType } from '../../schema/collections.ts';
import { parseQuantity } from '../../schema/quantity.ts';
import { type Field, Struct } from '../../schema/struct.ts';
import type { Type } from '../../schema/type.ts';
import { LabelSelector } from './label-selector.ts';

/** Differences between the versioned API types and the internal Go types that kube-apiserver prints. */
export interface GoLayout {
  /** Field order by full struct name; the order of the schema by default. */
  readonly order: Readonly<Record<string, readonly string[]>>;
  /** Go field names by `Struct.field`, if they do not follow from the JSON name. */
  readonly names: Readonly<Record<string, string>>;
  /** Fields, as `Struct.field`, that are optional in the API but not pointers in Go. */
  readonly nonPointerFields: readonly string[];
  /** Computes a Go field from other fields of the API type. */
  fieldOf?(struct: string, field: string, values: Values): GoValue | undefined;
}

export type Values = Readonly<Record<string, unknown>>;

/** Converts an API value to the Go struct that kube-apiserver prints for it. */
export function goStructValue(schema: Struct<unknown>, value: unknown, layout: GoLayout): GoValue {
  const values = (value ?? {}) as Values;
  const fields: GoEntry[] = [];
  for (const name of layout.order[schema.fullName] ?? Object.keys(schema.fields)) {
    const { inlined } = schema.fields[name]!;
    if (!inlined) {
      fields.push({
        key: goFieldName(schema, name, layout),
        value: goField(schema, name, values, layout),
      });
      continue;
    }
    const key = inlined.struct.fullName.replace(/^.*\./, '');
    if (fields.some((field) => field.key === key)) continue;
    fields.push({ key, value: goStructValue(inlined.struct, values, layout) });
  }
  return { kind: 'struct', type: goTypeName(schema.fullName), fields };
}

/** The Go value of one field: nil, a pointer or the value itself, as its Go type has it. */
export function goField(schema: Struct<unknown>, name: string, values: Values, layout: GoLayout): GoValue {
  const computed = layout.fieldOf?.(schema.fullName, name, values);
  if (computed) return computed;
  const { type, optional } = schema.fields[name] as Field;
  const value = values[name];
  const canBeNil = type instanceof ListType || type instanceof MapType;
  if (value === undefined || value === null) {
    return optional || canBeNil ? goNil : goValue(type, type.zero(), layout);
  }
  const pointee = goValue(type, value, layout);
  if (!optional || canBeNil || layout.nonPointerFields.includes(memberName(schema, name))) return pointee;
  if (type === LabelSelector)
    return { kind: 'pointer', pointee, formatted: goLabelSelectorString(value as LabelSelector) };
  return type.category === 'quantity'
    ? { kind: 'pointer', pointee, formatted: value as string }
    : { kind: 'pointer', pointee };
}

/** `Struct.field`, without the package. */
function memberName(schema: Struct<unknown>, field: string): string {
  return `${schema.fullName.replace(/^.*\./, '')}.${field}`;
}

function goValue(type: Type, value: unknown, layout: GoLayout): GoValue {
  if (type instanceof Struct) return goStructValue(type, value, layout);
  if (type instanceof ListType) {
    const items = (value as unknown[]).map((item) => goValue(type.element, item, layout));
    const { element } = type;
    return {
      kind: 'list',
      type: `[]${goTypeName(element instanceof Struct ? element.fullName : element.name)}`,
      items,
    };
  }
  if (type instanceof MapType) return goMap(type, value as Values, layout);
  if (type.category === 'quantity') return goQuantity(value as string);
  if (type.category === 'intOrString') return goIntOrString(value as number | string);
  if (type.category === 'raw') return goString(stringifyJson(value));
  if (type.name === 'v1.ResourceName') {
    // go-cmp marks the output of a Stringer with `s`.
    return { kind: 'plain', text: `s${quote(value as string)}`, isZero: value === '' };
  }
  return typeof value === 'string' ? goString(value) : goScalar(value as number | boolean);
}

/** Keys of a ResourceList implement Stringer; go-cmp marks their output with `s`. */
function goMap(type: MapType<unknown>, value: Values, layout: GoLayout): GoValue {
  const isResourceList = type.name === 'v1.ResourceList';
  const entries = Object.keys(value)
    .sort()
    .map((key) => ({
      key: isResourceList ? `s${quote(key)}` : quote(key),
      value: goValue(type.element, value[key], layout),
    }));
  return { kind: 'map', type: isResourceList ? 'core.ResourceList' : type.name, entries };
}

/** Marked `isOpaque`, because go-cmp compares quantities with their Equal method rather than by field. */
function goQuantity(text: string): GoValue {
  const parsed = parseQuantity(text);
  if ('problem' in parsed) throw new Error(`${quote(text)} is no quantity: ${parsed.problem}`);
  const amount = [
    { key: 'value', value: goScalar(Number(parsed.amount)) },
    { key: 'scale', value: goScalar(parsed.scale) },
  ];
  return {
    kind: 'struct',
    type: 'resource.Quantity',
    isOpaque: true,
    fields: [
      { key: 'i', value: { kind: 'struct', type: 'resource.int64Amount', fields: amount } },
      { key: 's', value: goString(parsed.text) },
      { key: 'Format', value: goString(parsed.format) },
    ],
  };
}

function goIntOrString(value: number | string): GoValue {
  const isText = typeof value === 'string';
  return {
    kind: 'struct',
    type: 'intstr.IntOrString',
    fields: [
      { key: 'Type', value: goScalar(isText ? 1 : 0) },
      { key: 'IntVal', value: goScalar(isText ? 0 : value) },
      { key: 'StrVal', value: goString(isText ? value : '') },
    ],
  };
}

/** Formats a LabelSelector as its generated String method does. */
export function goLabelSelectorString({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
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

/** Returns the Go type name: `core.Pod` for `core/v1.Pod` or `v1.Pod`, `v1.LabelSelector` for `meta/v1.LabelSelector`. */
function goTypeName(name: string): string {
  return name.startsWith('meta/') ? name.replace('meta/', '') : name.replace(/^(?:core\/)?v1\./, 'core.');
}

/** Initialisms that Go writes in capitals at the start of a field name. */
const leadingInitialism =
  /^(api|aws|csi|dns|fc|fs(?=Group|Type)|gce|gid|gmsa|grpc|http|ip|iqn|iscsi|nfs|os|pd|rbd|se(?=Linux)|ssl|tcp|tty|uid)(?=[A-Z]|$)/;

function goFieldName(schema: Struct<unknown>, name: string, { names }: GoLayout): string {
  const irregularName = names[memberName(schema, name)];
  if (irregularName !== undefined) return irregularName;
  const initialism = leadingInitialism.exec(name)?.[0];
  if (initialism) return initialism.toUpperCase() + name.slice(initialism.length);
  return name.charAt(0).toUpperCase() + name.slice(1);
}
