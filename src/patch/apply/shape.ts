import { announcedDefault } from '../../schema/announced-default.ts';
import { ListType, MapType } from '../../schema/collections.ts';
import { type Field, Struct } from '../../schema/struct.ts';
import type { Type } from '../../schema/type.ts';

/**
 * How values of a type are taken apart into fields that can be owned. What is atomic is owned as a whole, and so is a
 * scalar; JSON of any kind counts as one.
 */
export type Shape = ScalarShape | StructShape | MapShape | ListShape;

export interface ScalarShape {
  readonly form: 'scalar';
  readonly type: Type;
}

export interface StructShape {
  readonly form: 'struct';
  readonly type: Type;
  readonly atomic: boolean;
  /** In the order of their names. */
  readonly fields: readonly FieldShape[];
  readonly byName: ReadonlyMap<string, FieldShape>;
}

export interface FieldShape {
  readonly name: string;
  /** `f:` and the name. */
  readonly element: string;
  readonly field: Field;
  readonly shape: Shape;
  /** A value may be there and count as nothing. */
  readonly mayBeEmpty: boolean;
}

export interface MapShape {
  readonly form: 'map';
  readonly type: Type;
  readonly atomic: boolean;
  readonly element: Shape;
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

function makeShape(type: Type): Shape {
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
  const shape: StructShape = { form: 'struct', type, atomic: type.atomic, fields, byName };
  shapes.set(type, shape);
  for (const name of Object.keys(type.fields).sort()) {
    const field = type.fields[name]!;
    const mayBeEmpty = !field.optional && field.type.form !== 'struct';
    const known = { name, element: `f:${name}`, field, shape: fieldShape(field), mayBeEmpty };
    fields.push(known);
    byName.set(name, known);
  }
  return shape;
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
