// Server-side apply: the merge schema of a type (structs, maps, associative lists, atomics).
import { isObject } from '../../codec/json/json-value.ts';
import { announcedDefault } from '../../schema/announced-default.ts';
import { ListType, MapType } from '../../schema/collections.ts';
import { CustomType, customField } from '../../schema/custom.ts';
import { type Field, Struct } from '../../schema/struct.ts';
import type { Form, Type } from '../../schema/type.ts';

/**
 * How values of a type split into fields that managers own. Atomic values and scalars are owned as a whole; arbitrary
 * JSON counts as a scalar.
 */
export type MergeSchema = ScalarShape | StructShape | MapShape | ListShape;

interface ScalarShape {
  readonly form: 'scalar';
  readonly type: Type;
  /** The expected form, if the type itself accepts anything. */
  readonly expects?: Form;
}

export interface StructShape {
  readonly form: 'struct';
  readonly type: Type;
  readonly atomic: boolean;
  /** Sorted by name. */
  readonly fields: readonly FieldShape[];
  readonly byName: ReadonlyMap<string, FieldShape>;
  /** The shape of undeclared members, if these are preserved. */
  readonly others?: MergeSchema;
}

export interface FieldShape {
  readonly name: string;
  /** `f:` and the name. */
  readonly element: string;
  readonly field: Field;
  readonly shape: MergeSchema;
  /** Whether an empty value counts as absent. */
  readonly mayBeEmpty: boolean;
  /** Whether an empty value is omitted from JSON. */
  readonly omitEmpty: boolean;
}

export interface MapShape {
  readonly form: 'map';
  readonly type: Type;
  readonly atomic: boolean;
  readonly element: MergeSchema;
  /** Nothing is declared: objects are maps, and all else is owned as a whole. */
  readonly isDeduced?: boolean;
}

export interface ListShape {
  readonly form: 'list';
  readonly type: Type;
  readonly atomic: boolean;
  readonly element: MergeSchema;
  /** The keys of an associative list, sorted by name. Without keys it is a set. */
  readonly keys?: readonly KeyShape[];
}

export interface KeyShape {
  readonly name: string;
  /** The quoted name and a colon: `"name":`. */
  readonly text: string;
  readonly field: FieldShape | undefined;
  /** Used if an element lacks the key. */
  readonly default: unknown;
}

const shapes = new WeakMap<Type, MergeSchema>();

/** The shape of a type; cached. */
export function shapeOf(type: Type): MergeSchema {
  const cached = shapes.get(type);
  if (cached) return cached;
  if (type instanceof Struct) return structShape(type);
  const shape = makeShape(type);
  shapes.set(type, shape);
  return shape;
}

/** The shape of a value: where nothing is declared, only objects are split. */
export function shapeFor(shape: MergeSchema, value: unknown): MergeSchema {
  return shape.form === 'map' && shape.isDeduced && !isObject(value) ? untypedScalar : shape;
}

/** The shape of a member. */
export function memberShape(shape: StructShape | MapShape, key: string): MergeSchema | undefined {
  return shape.form === 'struct' ? (shape.byName.get(key)?.shape ?? shape.others) : shape.element;
}

const untyped = new CustomType({ keepsUnknown: true });
const untypedScalar: ScalarShape = { form: 'scalar', type: untyped };

class Deduced implements MapShape {
  readonly form = 'map';
  readonly type = untyped;
  readonly atomic = false;
  readonly isDeduced = true;
  readonly element = this;
}
const deduced: MapShape = new Deduced();

function makeShape(type: Type): MergeSchema {
  if (type instanceof CustomType) return customShape(type);
  if (type instanceof MapType) {
    return { form: 'map', type, atomic: type.atomic, element: shapeOf(type.element) };
  }
  if (type instanceof ListType) return listShape(type);
  return { form: 'scalar', type };
}

/** Structs can be recursive: the shape is cached before its fields are computed. */
function structShape(type: Struct<unknown>): StructShape {
  const fields: FieldShape[] = [];
  const byName = new Map<string, FieldShape>();
  const others = type.options.others instanceof CustomType && type.options.others.custom.keepsUnknown;
  const shape: StructShape = {
    ...{ form: 'struct', type, atomic: type.atomic, fields, byName },
    ...(others && { others: deduced }),
  };
  shapes.set(type, shape);
  for (const name of Object.keys(type.fields).sort()) {
    const cached = fieldShapeOf(name, type.fields[name]!);
    fields.push(cached);
    byName.set(name, cached);
  }
  return shape;
}

function customShape(type: CustomType): MergeSchema {
  const { properties, additional, items, metadata, isAtomic: atomic = false } = type.custom;
  const keepsUnknown = type.custom.keepsUnknown || type.custom.keepsMembers;
  if (items) return customListShape(type, items);
  if (properties || metadata) {
    const fields = Object.keys(properties ?? {})
      .sort()
      .map((name) => new CustomFieldShape(name, properties![name]!));
    const byName = new Map(fields.map((each) => [each.name, each]));
    const others = keepsUnknown || metadata ? { others: deduced } : {};
    return { form: 'struct', type, atomic, fields, byName, ...others };
  }
  if (additional) return { form: 'map', type, atomic, element: shapeOf(additional) };
  if (keepsUnknown && !atomic) return deduced;
  const { scalar: expects } = type.custom;
  return { form: 'scalar', type, ...(expects && { expects }) };
}

/** A field of a custom resource, computed lazily: there may be tens of thousands, most of them unused. */
class CustomFieldShape implements FieldShape {
  readonly name: string;
  readonly element: string;
  readonly mayBeEmpty = false;
  readonly omitEmpty = true;
  readonly #type: CustomType;
  #field: Field | undefined;
  #shape: MergeSchema | undefined;

  constructor(name: string, type: CustomType) {
    this.name = name;
    this.element = `f:${name}`;
    this.#type = type;
  }

  get field(): Field {
    this.#field ??= customField(this.#type);
    return this.#field;
  }

  get shape(): MergeSchema {
    this.#shape ??= shapeOf(this.#type);
    return this.#shape;
  }
}

function customListShape(type: CustomType, items: CustomType): ListShape {
  const { listType, listKeys = [] } = type.custom;
  const element = shapeOf(items);
  const list = { form: 'list', type, atomic: listType !== 'set' && listType !== 'map', element } as const;
  if (listType !== 'map') return list;
  return { ...list, keys: [...listKeys].sort().map((name) => keyShape(element, name)) };
}

function fieldShapeOf(name: string, field: Field): FieldShape {
  const mayBeEmpty = !field.optional && field.type.form !== 'struct';
  const { omitEmpty } = field;
  return { name, element: `f:${name}`, field, shape: fieldShape(field), mayBeEmpty, omitEmpty };
}

/** A field may override the merge strategy of its type. */
function fieldShape({ type, mapType }: Field): MergeSchema {
  const shape = shapeOf(type);
  if (mapType === undefined || (shape.form !== 'struct' && shape.form !== 'map')) return shape;
  return { ...shape, atomic: mapType === 'atomic' };
}

function listShape(type: ListType<unknown>): ListShape {
  const { type: listType, keys, patch, patchKey } = type.merge;
  const element = shapeOf(type.element);
  const merged = listType === undefined && patch?.includes('merge');
  if (listType === 'map' || (merged && patchKey !== undefined)) {
    const names = [...(listType === 'map' ? (keys ?? []) : [patchKey!])].sort();
    return { form: 'list', type, atomic: false, element, keys: names.map((name) => keyShape(element, name)) };
  }
  return { form: 'list', type, atomic: listType !== 'set' && !merged, element };
}

function keyShape(element: MergeSchema, name: string): KeyShape {
  const field = element.form === 'struct' ? element.byName.get(name) : undefined;
  return { name, text: `${JSON.stringify(name)}:`, field, default: field && announcedDefault(field.field) };
}
