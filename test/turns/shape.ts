// The shape of a type, as far as the generator of worst cases needs it: from a schema type of a built-in kind, or from the
// structural schema of a custom resource.
import { ListType, MapType } from '../../src/schema/collections.ts';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { Struct } from '../../src/schema/struct.ts';
import type { Type } from '../../src/schema/type.ts';
import { UnionType } from '../../src/schema/union.ts';

export interface ListShape {
  readonly is: 'list';
  readonly element: Shape;
  /** Fields of an element that must be unique together, such as the merge keys. */
  readonly keys: readonly string[];
}

interface MapShape {
  readonly is: 'map';
  readonly element: Shape;
}

export interface StructShape {
  readonly is: 'struct';
  /** With its package; '' for a custom resource. */
  readonly name: string;
  /** Computed on demand, because types can be recursive. */
  fields(): ReadonlyMap<string, FieldShape>;
}

interface FieldShape {
  readonly shape: Shape;
  readonly isRequired: boolean;
}

interface ScalarShape {
  readonly is: Scalar;
  readonly values?: readonly string[];
}

type Scalar = 'string' | 'bytes' | 'raw' | 'number' | 'bool' | 'time' | 'microTime' | 'quantity';

export type Shape = ListShape | MapShape | StructShape | ScalarShape;

const scalars: Readonly<Record<string, Scalar>> = {
  int32: 'number',
  int64: 'number',
  double: 'number',
  intOrString: 'number',
  string: 'string',
  bytes: 'bytes',
  raw: 'raw',
  bool: 'bool',
  time: 'time',
  microTime: 'microTime',
  quantity: 'quantity',
};

export function shapeOfType(type: Type): Shape {
  if (type instanceof Struct) return shapeOfStruct(type as Struct<unknown>);
  if (type instanceof ListType) return shapeOfList(type as ListType<unknown>);
  if (type instanceof MapType) return { is: 'map', element: shapeOfType((type as MapType<unknown>).element) };
  if (type instanceof UnionType) return shapeOfUnion(type);
  const { values } = type;
  return { is: scalars[type.category]!, ...(values && { values }) };
}

function shapeOfStruct(type: Struct<unknown>): StructShape {
  return {
    is: 'struct',
    name: type.fullName,
    fields: () =>
      new Map(
        Object.entries(type.fields).map(([name, { type: fieldType, required }]) => [
          name,
          { shape: shapeOfType(fieldType), isRequired: required },
        ]),
      ),
  };
}

function shapeOfList({ element, merge }: ListType<unknown>): ListShape {
  const keys = merge.keys ?? (merge.patchKey === undefined ? [] : [merge.patchKey]);
  return { is: 'list', element: shapeOfType(element), keys };
}

/** The form with the most content: a struct. */
function shapeOfUnion({ alternatives }: UnionType): Shape {
  const types = Object.values(alternatives).map(({ type }) => type);
  return shapeOfType(types.find((type) => type instanceof Struct) ?? types[0]!);
}

/** The shape of a structural schema of a custom resource. */
export function shapeOfSchema(schema: JsonSchema): Shape {
  const { type, items, properties, additionalProperties } = schema;
  if (type === 'array')
    return { is: 'list', element: shapeOfSchema(items as JsonSchema), keys: listKeys(schema) };
  if (type === 'object' && additionalProperties && typeof additionalProperties === 'object') {
    return { is: 'map', element: shapeOfSchema(additionalProperties) };
  }
  if (type === 'object' && properties) return shapeOfProperties(schema);
  if (type === 'string') return { is: 'string', ...(schema.enum && { values: schema.enum as string[] }) };
  if (type === 'boolean') return { is: 'bool' };
  return { is: type === 'integer' || type === 'number' ? 'number' : 'raw' };
}

function shapeOfProperties({ properties = {}, required = [] }: JsonSchema): StructShape {
  return {
    is: 'struct',
    name: '',
    fields: () =>
      new Map(
        Object.entries(properties).map(([name, property]) => [
          name,
          { shape: shapeOfSchema(property as JsonSchema), isRequired: required.includes(name) },
        ]),
      ),
  };
}

const listKeys = (schema: JsonSchema) =>
  ((schema as Record<string, unknown>)['x-orch-list-map-keys'] as string[] | undefined) ?? [];
