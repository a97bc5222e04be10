// Server-side apply: the merge schema of a type, which says where structs, maps and associative lists are merged and
// where a value is atomic (upstream: schema.Schema of structured-merge-diff).
import { isObject } from '../../codec/json/json-value.ts';
import { ListType, MapType } from '../../schema/collections.ts';
import { CustomType, customField } from '../../schema/custom.ts';
import { openApiDefault } from '../../schema/openapi-default.ts';
import { type Field, Struct } from '../../schema/struct.ts';
import type { Type, TypeCategory } from '../../schema/type.ts';

/**
 * How values of a type split into fields that managers own. Atomic values and scalars are owned as a whole; arbitrary
 * JSON counts as a scalar.
 */
export type MergeSchema = ScalarMergeSchema | StructMergeSchema | MapMergeSchema | ListMergeSchema;

interface ScalarMergeSchema {
  readonly form: 'scalar';
  readonly type: Type;
  /** The type of a valid value, where `type` itself accepts anything (custom resources). */
  readonly expects?: TypeCategory;
}

export interface StructMergeSchema {
  readonly form: 'struct';
  readonly type: Type;
  readonly atomic: boolean;
  /** Sorted by name. */
  readonly fields: readonly FieldMergeSchema[];
  readonly byName: ReadonlyMap<string, FieldMergeSchema>;
  /** The schema of undeclared members, if the type preserves unknown fields. */
  readonly undeclared?: MergeSchema;
}

export interface FieldMergeSchema {
  readonly name: string;
  /** The path element: `f:` and the name. */
  readonly element: string;
  readonly field: Field;
  readonly schema: MergeSchema;
  /** Whether an empty value counts as absent. */
  readonly mayBeEmpty: boolean;
  /** Whether an empty value is omitted from JSON. */
  readonly omitEmpty: boolean;
}

export interface MapMergeSchema {
  readonly form: 'map';
  readonly type: Type;
  readonly atomic: boolean;
  readonly element: MergeSchema;
  /** The type declares nothing (upstream: deduced). Objects are maps; any other value is atomic. */
  readonly isDeduced?: boolean;
}

export interface ListMergeSchema {
  readonly form: 'list';
  readonly type: Type;
  readonly atomic: boolean;
  readonly element: MergeSchema;
  /** The keys of an associative list, sorted by name. Without keys it is a set. */
  readonly keys?: readonly KeyMergeSchema[];
}

export interface KeyMergeSchema {
  readonly name: string;
  /** The quoted name and a colon: `"name":`. */
  readonly text: string;
  readonly field: FieldMergeSchema | undefined;
  /** Used if an element lacks the key. */
  readonly default: unknown;
}

const mergeSchemaCache = new WeakMap<Type, MergeSchema>();

/** The merge schema of a type, computed once per type. */
export function mergeSchemaOf(type: Type): MergeSchema {
  const cached = mergeSchemaCache.get(type);
  if (cached) return cached;
  if (type instanceof Struct && !declaresNothing(type)) return structMergeSchema(type);
  const schema = buildMergeSchema(type);
  mergeSchemaCache.set(type, schema);
  return schema;
}

/** Resolves a deduced schema for a value: objects are maps, everything else is atomic. */
export function mergeSchemaFor(schema: MergeSchema, value: unknown): MergeSchema {
  return schema.form === 'map' && schema.isDeduced && !isObject(value) ? untypedScalar : schema;
}

/** The merge schema of a struct field or map entry. */
export function memberMergeSchema(
  schema: StructMergeSchema | MapMergeSchema,
  key: string,
): MergeSchema | undefined {
  return schema.form === 'struct' ? (schema.byName.get(key)?.schema ?? schema.undeclared) : schema.element;
}

/**
 * Where values come from, which decides when a struct field is present. `json`: a member is present if the JSON has it.
 * `object`: a decoded object, in which a member is present if the object's JSON would have it.
 */
export type ValueSource = 'json' | 'object';

type Members = Readonly<Record<string, unknown>>;

/** The value of a field: undefined if absent, null if null. */
export function fieldValue(struct: Members, schema: FieldMergeSchema, source: ValueSource): unknown {
  const { name, mayBeEmpty, omitEmpty } = schema;
  const value = struct[name];
  if (source === 'json') return value;
  // A list or map without omitempty is owned by the writer that sends it empty, although it is stored as absent.
  const isPresent = value !== undefined && value !== null;
  if (isPresent && (!mayBeEmpty || !omitEmpty || !schema.field.type.isEmpty(value))) return value;
  if (value === null && schema.field.type.keepsNull) return null;
  if (omitEmpty) return undefined;
  const { type, optional } = schema.field;
  return optional || type.emptyJson === 'null' ? null : type.zero();
}

/** Arbitrary JSON. */
const untyped = new CustomType({ keepsUnknown: true });
const untypedScalar: ScalarMergeSchema = { form: 'scalar', type: untyped };

/** The schema of undeclared values: maps all the way down. */
class DeducedMergeSchema implements MapMergeSchema {
  readonly form = 'map';
  readonly type = untyped;
  readonly atomic = false;
  readonly isDeduced = true;
  readonly element = this;
}
const deduced: MapMergeSchema = new DeducedMergeSchema();

function buildMergeSchema(type: Type): MergeSchema {
  if (type instanceof CustomType) return customMergeSchema(type);
  if (type instanceof MapType) {
    return { form: 'map', type, atomic: type.atomic, element: mergeSchemaOf(type.element) };
  }
  if (type instanceof ListType) return listMergeSchema(type);
  if (type instanceof Struct) return { form: 'map', type, atomic: type.atomic, element: deduced };
  return { form: 'scalar', type };
}

/** Upstream: the members of an OpenAPI type without properties are untyped. */
function declaresNothing({ fields, options }: Struct<unknown>): boolean {
  return !options.others && Object.keys(fields).length === 0;
}

/** Structs can be recursive: the schema is cached before its fields are computed. */
function structMergeSchema(type: Struct<unknown>): StructMergeSchema {
  const fields: FieldMergeSchema[] = [];
  const byName = new Map<string, FieldMergeSchema>();
  const { others } = type.options;
  const keepsUnknown = others instanceof CustomType && others.custom.keepsUnknown;
  const schema: StructMergeSchema = {
    ...{ form: 'struct', type, atomic: type.atomic, fields, byName },
    ...(keepsUnknown && { undeclared: deduced }),
  };
  mergeSchemaCache.set(type, schema);
  for (const name of Object.keys(type.fields).sort()) {
    const field = fieldMergeSchema(name, type.fields[name]!);
    fields.push(field);
    byName.set(name, field);
  }
  return schema;
}

function customMergeSchema(type: CustomType): MergeSchema {
  const { properties, additional, items, metadata, isAtomic: atomic = false } = type.custom;
  const keepsUnknown = type.custom.keepsUnknown || type.custom.keepsMembers;
  if (items) return customListMergeSchema(type, items);
  if (properties || metadata) {
    const fields = Object.keys(properties ?? {})
      .sort()
      .map((name) => new CustomFieldMergeSchema(name, properties![name]!));
    const byName = new Map(fields.map((each) => [each.name, each]));
    const undeclared = keepsUnknown || metadata ? { undeclared: deduced } : {};
    return { form: 'struct', type, atomic, fields, byName, ...undeclared };
  }
  if (additional) return { form: 'map', type, atomic, element: mergeSchemaOf(additional) };
  if (keepsUnknown && !atomic) return deduced;
  const { scalar: expects } = type.custom;
  return { form: 'scalar', type, ...(expects && { expects }) };
}

/** A field of a custom resource, computed lazily: there may be tens of thousands, most of them unused. */
class CustomFieldMergeSchema implements FieldMergeSchema {
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

  get schema(): MergeSchema {
    this.#shape ??= mergeSchemaOf(this.#type);
    return this.#shape;
  }
}

function customListMergeSchema(type: CustomType, items: CustomType): ListMergeSchema {
  const { listType, listKeys = [] } = type.custom;
  const element = mergeSchemaOf(items);
  const list = { form: 'list', type, atomic: listType !== 'set' && listType !== 'map', element } as const;
  if (listType !== 'map') return list;
  return { ...list, keys: [...listKeys].sort().map((name) => keyMergeSchema(element, name)) };
}

function fieldMergeSchema(name: string, field: Field): FieldMergeSchema {
  const mayBeEmpty = !field.optional && field.type.category !== 'struct';
  const { omitEmpty } = field;
  return { name, element: `f:${name}`, field, schema: fieldTypeMergeSchema(field), mayBeEmpty, omitEmpty };
}

/** A field may override the merge strategy of its type. */
function fieldTypeMergeSchema({ type, mapType }: Field): MergeSchema {
  const schema = mergeSchemaOf(type);
  if (mapType === undefined || (schema.form !== 'struct' && schema.form !== 'map')) return schema;
  return { ...schema, atomic: mapType === 'atomic' };
}

function listMergeSchema(type: ListType<unknown>): ListMergeSchema {
  const { type: listType, keys, patch, patchKey } = type.merge;
  const element = mergeSchemaOf(type.element);
  // Without a listType, patchStrategy merge makes the list associative.
  const hasMergeStrategy = listType === undefined && patch?.includes('merge');
  if (listType === 'map' || (hasMergeStrategy && patchKey !== undefined)) {
    const names = [...(listType === 'map' ? (keys ?? []) : [patchKey!])].sort();
    return {
      form: 'list',
      type,
      atomic: false,
      element,
      keys: names.map((name) => keyMergeSchema(element, name)),
    };
  }
  return { form: 'list', type, atomic: listType !== 'set' && !hasMergeStrategy, element };
}

function keyMergeSchema(element: MergeSchema, name: string): KeyMergeSchema {
  const field = element.form === 'struct' ? element.byName.get(name) : undefined;
  return { name, text: `${JSON.stringify(name)}:`, field, default: field && openApiDefault(field.field) };
}
