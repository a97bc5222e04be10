import { isObject } from '../../codec/json/json-value.ts';
import { announcedDefault } from '../../schema/announced-default.ts';
import { ListType, MapType } from '../../schema/collections.ts';
import { CustomType, customField } from '../../schema/custom.ts';
import { type Field, Struct } from '../../schema/struct.ts';
import type { Form, Type } from '../../schema/type.ts';

/**
 * How values of a type are taken apart into fields that can be owned. What is atomic is owned as a whole, and so is a
 * scalar; JSON of any kind counts as one.
 */
export type Shape = ScalarShape | StructShape | MapShape | ListShape;

export interface ScalarShape {
  readonly form: 'scalar';
  readonly type: Type;
  /** What is expected of it, where its type takes anything. */
  readonly expects?: Form;
}

export interface StructShape {
  readonly form: 'struct';
  readonly type: Type;
  readonly atomic: boolean;
  /** In the order of their names. */
  readonly fields: readonly FieldShape[];
  readonly byName: ReadonlyMap<string, FieldShape>;
  /** Of members that are no fields, where those are kept. */
  readonly others?: Shape;
}

export interface FieldShape {
  readonly name: string;
  /** `f:` and the name. */
  readonly element: string;
  readonly field: Field;
  readonly shape: Shape;
  /** A value may be there and count as nothing. */
  readonly mayBeEmpty: boolean;
  /** The field is left out where its value is empty. */
  readonly omitEmpty: boolean;
}

export interface MapShape {
  readonly form: 'map';
  readonly type: Type;
  readonly atomic: boolean;
  readonly element: Shape;
  /** Nothing is declared: only objects are maps, and all else is owned as a whole. */
  readonly isDeduced?: boolean;
}

export interface ListShape {
  readonly form: 'list';
  readonly type: Type;
  readonly atomic: boolean;
  readonly element: Shape;
  /** What tells elements apart, in the order of the names; without keys they are told apart by their values. */
  readonly keys?: readonly KeyShape[];
}

export interface KeyShape {
  readonly name: string;
  /** The name as it stands before its value: `"name":`. */
  readonly text: string;
  readonly field: FieldShape | undefined;
  /** Stands in for a key that an element does not have. */
  readonly default: unknown;
}

const shapes = new WeakMap<Type, Shape>();

/** The shape of a type. It is made once. */
export function shapeOf(type: Type): Shape {
  const known = shapes.get(type);
  if (known) return known;
  if (type instanceof Struct) return structShape(type);
  const shape = makeShape(type);
  shapes.set(type, shape);
  return shape;
}

/** The shape of a value: that of its type, unless that says nothing and the value is no object. */
export function shapeFor(shape: Shape, value: unknown): Shape {
  return shape.form === 'map' && shape.isDeduced && !isObject(value) ? whole : shape;
}

/** The shape of what an object has under a key. */
export function memberShape(shape: StructShape | MapShape, key: string): Shape | undefined {
  return shape.form === 'struct' ? (shape.byName.get(key)?.shape ?? shape.others) : shape.element;
}

const untyped = new CustomType({ keepsUnknown: true });
const whole: ScalarShape = { form: 'scalar', type: untyped };

class Deduced implements MapShape {
  readonly form = 'map';
  readonly type = untyped;
  readonly atomic = false;
  readonly isDeduced = true;
  readonly element = this;
}
const deduced: MapShape = new Deduced();

function makeShape(type: Type): Shape {
  if (type instanceof CustomType) return customShape(type);
  if (type instanceof MapType) {
    return { form: 'map', type, atomic: type.atomic, element: shapeOf(type.element) };
  }
  if (type instanceof ListType) return listShape(type);
  return { form: 'scalar', type };
}

/** A struct may lie in itself: its shape is known before those of its fields are. */
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
    const known = fieldShapeOf(name, type.fields[name]!);
    fields.push(known);
    byName.set(name, known);
  }
  return shape;
}

function customShape(type: CustomType): Shape {
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

/** A field of a custom kind. There may be tens of thousands, most of which no object has. */
class CustomFieldShape implements FieldShape {
  readonly name: string;
  readonly element: string;
  readonly mayBeEmpty = false;
  readonly omitEmpty = true;
  readonly #type: CustomType;
  #field: Field | undefined;
  #shape: Shape | undefined;

  constructor(name: string, type: CustomType) {
    this.name = name;
    this.element = `f:${name}`;
    this.#type = type;
  }

  get field(): Field {
    this.#field ??= customField(this.#type);
    return this.#field;
  }

  get shape(): Shape {
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

/** A field may have it merged otherwise than its type says. */
function fieldShape({ type, mapType }: Field): Shape {
  const shape = shapeOf(type);
  if (mapType === undefined || (shape.form !== 'struct' && shape.form !== 'map')) return shape;
  return { ...shape, atomic: mapType === 'atomic' };
}

function listShape(type: ListType<unknown>): ListShape {
  const { type: said, keys, patch, patchKey } = type.merge;
  const element = shapeOf(type.element);
  const merged = said === undefined && patch?.includes('merge');
  if (said === 'map' || (merged && patchKey !== undefined)) {
    const names = [...(said === 'map' ? (keys ?? []) : [patchKey!])].sort();
    return { form: 'list', type, atomic: false, element, keys: names.map((name) => keyShape(element, name)) };
  }
  return { form: 'list', type, atomic: said !== 'set' && !merged, element };
}

function keyShape(element: Shape, name: string): KeyShape {
  const field = element.form === 'struct' ? element.byName.get(name) : undefined;
  return { name, text: `${JSON.stringify(name)}:`, field, default: field && announcedDefault(field.field) };
}
