// OpenAPI schemas of the built-in types.
import type { Dialect } from '../../dialect/dialect.ts';
import { ListMeta } from '../../kind/meta/list-meta.ts';
import { typeMeta } from '../../kind/meta/type-meta.ts';
import type { ServedKind } from '../../kind/registry.ts';
import { type ListMerge, ListType, list, MapType } from '../../schema/collections.ts';
import { openApiDefault, openApiZero } from '../../schema/openapi-default.ts';
import { StringType } from '../../schema/scalars.ts';
import { type Field, field, Struct, struct } from '../../schema/struct.ts';
import type { Type, TypeCategory } from '../../schema/type.ts';
import type { Schema } from './document.ts';
import { type FieldOverride, fieldOverride } from './field-overrides.ts';
import { groupVersionKinds } from './group-version-kinds.ts';

/** The prefix of references to schemas. */
export const refPrefix = '#/components/schemas/';

/** References to the schemas of kinds and their lists. */
export interface SchemaRefs {
  refTo(type: Struct<unknown>): Schema;
  refToKind(kind: ServedKind): Schema;
  refToList(kind: ServedKind): Schema;
}

const scalars: Partial<Record<TypeCategory, Schema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
};

/** Types that are no structs but have a named schema. */
const specialTypes: Readonly<Record<string, { readonly fullName: string; readonly schema: Schema }>> = {
  'v1.Time': {
    fullName: 'meta/v1.Time',
    schema: { description: 'An RFC 3339 timestamp with seconds.', type: 'string', format: 'date-time' },
  },
  'v1.MicroTime': {
    fullName: 'meta/v1.MicroTime',
    schema: { description: 'An RFC 3339 timestamp with microseconds.', type: 'string', format: 'date-time' },
  },
  'v1.Duration': {
    fullName: 'meta/v1.Duration',
    schema: { description: "A duration in Go's notation, such as `1m30s`.", type: 'string' },
  },
  'v1.FieldsV1': {
    fullName: 'meta/v1.FieldsV1',
    schema: {
      description:
        'A set of fields as a tree: `f:name` is a field, `k:{…}` a list item by its keys, `v:…` one by its value, `i:n` one by its index, and `.` the field itself.',
      type: 'object',
    },
  },
  'runtime.RawExtension': {
    fullName: 'runtime.RawExtension',
    schema: { description: 'An object of any kind, stored unchanged.', type: 'object' },
  },
  'resource.Quantity': {
    fullName: 'resource.Quantity',
    schema: {
      description:
        'An amount: a number with an optional exponent (`1e3`) or suffix, in powers of ten (m, k, M, G, T, P, E) or of 1024 (Ki, Mi, Gi, Ti, Pi, Ei).',
      oneOf: [{ type: 'string' }, { type: 'number' }],
    },
  },
  'v1.JSON': {
    fullName: 'apiextensions/v1.JSON',
    schema: { description: 'Any JSON value: a string, a number, true, false, null, an array or an object.' },
  },
  'v1.JSONSchemaPropsOrBool': {
    fullName: 'apiextensions/v1.JSONSchemaPropsOrBool',
    schema: { description: 'A schema, or true or false.' },
  },
  'v1.JSONSchemaPropsOrArray': {
    fullName: 'apiextensions/v1.JSONSchemaPropsOrArray',
    schema: { description: 'A schema, or a list of schemas.' },
  },
  'v1.JSONSchemaPropsOrStringArray': {
    fullName: 'apiextensions/v1.JSONSchemaPropsOrStringArray',
    schema: { description: 'A schema, or a list of strings.' },
  },
  'intstr.IntOrString': {
    fullName: 'intstr.IntOrString',
    schema: {
      description: 'A number, or a string such as the name of a port or a percentage.',
      format: 'int-or-string',
      oneOf: [{ type: 'integer' }, { type: 'string' }],
    },
  },
};

/** The schemas of one document: every referenced type, transitively. */
export class Schemas implements SchemaRefs {
  readonly #dialect: Dialect;
  readonly #publishEnums: boolean;
  readonly #extensionPrefix: string;
  readonly #forCustomResources: boolean;
  readonly #schemas = new Map<string, Schema>();

  /** `forCustomResources`: the document is one of custom resources. */
  constructor(dialect: Dialect, publishEnums: boolean, { forCustomResources = false } = {}) {
    this.#dialect = dialect;
    this.#publishEnums = publishEnums;
    this.#extensionPrefix = dialect.extensionPrefix;
    this.#forCustomResources = forCustomResources;
  }

  /** All schemas by name; undefined if there are none. */
  all(): Readonly<Record<string, Schema>> | undefined {
    if (this.#schemas.size === 0) return undefined;
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** A reference to the schema of this struct, which is added to `all`. */
  refTo(type: Struct<unknown>): Schema {
    const name = this.#dialect.schemaName(type.fullName);
    if (!this.#schemas.has(name)) {
      // A placeholder, which ends the recursion of a type that refers to itself.
      this.#schemas.set(name, {});
      this.#schemas.set(name, this.#structSchema(type));
    }
    return { $ref: refPrefix + name };
  }

  refToKind({ definition }: ServedKind): Schema {
    return this.refTo(definition.schema);
  }

  refToList({ definition }: ServedKind): Schema {
    return this.refTo(listOf(definition.schema));
  }

  #structSchema(type: Struct<unknown>): Schema {
    const fields: [string, Field][] = Object.entries(type.fields);
    const overrideOf = (name: string) => fieldOverride(type.fullName, name);
    const required = fields
      .filter(([name, field]) => field.required || overrideOf(name).required)
      .map(([name]) => name);
    const properties = fields
      .map(([name, field]) => [name, this.#property(field, overrideOf(name))] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const kinds = groupVersionKinds(type, this.#dialect, {
      forCustomResources: this.#forCustomResources,
    });
    const { union } = type.options;
    return {
      ...(type.doc !== '' && { description: type.doc }),
      type: 'object',
      ...(required.length > 0 && { required }),
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...this.#extensions({
        'group-version-kind': kinds.length > 0 ? kinds : undefined,
        'map-type': type.atomic ? 'atomic' : undefined,
        unions: union && [{ discriminator: union.discriminator, 'fields-to-discriminateBy': union.members }],
      }),
    };
  }

  #property(field: Field, override: FieldOverride): Schema {
    const { element } = override;
    return this.#withReference(element === undefined ? field.type : withElementName(field.type, element), {
      ...(field.doc !== '' && { description: field.doc }),
      ...asDefault(openApiDefault(field)),
      ...this.#mergeExtensions(field, override),
    });
  }

  /** The schema of a field. A reference allows no siblings, so it is wrapped in allOf. */
  #withReference(type: Type, siblings: Schema): Schema {
    const { $ref, ...schema } = this.#schemaOf(type);
    if ($ref === undefined) return { ...siblings, ...schema };
    return Object.keys(siblings).length === 0 ? { $ref } : { ...siblings, allOf: [{ $ref }] };
  }

  #schemaOf(type: Type): Schema {
    if (type instanceof Struct) return this.refTo(type);
    if (type instanceof ListType) return { type: 'array', items: this.#element(type.element) };
    if (type instanceof MapType) return { type: 'object', additionalProperties: this.#element(type.element) };
    if (type instanceof StringType) {
      if (!this.#publishEnums || !type.isPublishedEnum) return { type: 'string' };
      return { type: 'string', enum: [...(type.values ?? [])].sort() };
    }
    return scalars[type.category] ?? this.#specialRef(type);
  }

  #element(type: Type): Schema {
    return this.#withReference(type, asDefault(openApiZero(type)));
  }

  #specialRef(type: Type): Schema {
    const entry = specialTypes[type.name];
    if (!entry) throw new Error(`no OpenAPI schema for type ${type.name}`);
    const name = this.#dialect.schemaName(entry.fullName);
    this.#schemas.set(name, entry.schema);
    return { $ref: refPrefix + name };
  }

  #mergeExtensions(field: Field, override: FieldOverride): Schema {
    const { type } = field;
    const merge: ListMerge = override.merge ?? (type instanceof ListType ? type.merge : {});
    const atomic = type instanceof MapType && type.atomic ? 'atomic' : undefined;
    return this.#extensions({
      'list-map-keys': merge.keys,
      'list-type': merge.type,
      'map-type': field.mapType ?? atomic,
      'patch-merge-key': merge.patchKey,
      'patch-strategy': merge.patch ?? field.patch,
    });
  }

  #extensions(values: Readonly<Record<string, unknown>>): Schema {
    const present = Object.entries(values).filter(([, value]) => value !== undefined);
    return Object.fromEntries(present.map(([name, value]) => [this.#extensionPrefix + name, value]));
  }
}

/** The list type of a kind. */
function listOf(schema: Struct<unknown>): Struct<unknown> {
  return struct(
    `${schema.fullName}List`,
    {
      ...typeMeta,
      metadata: field(1, ListMeta, { doc: listMetadataDescription }),
      items: field(2, list(schema), { required: true, doc: 'The objects.' }),
    },
    { doc: listDescription(schema.fullName.slice(schema.fullName.indexOf('.') + 1)) },
  );
}

export const listDescription = (kind: string) => `A list of objects of kind ${kind}.`;
export const listMetadataDescription = 'The standard list metadata.';

/** The list type with its elements renamed. */
function withElementName(type: Type, name: string): Type {
  if (!(type instanceof ListType) || !(type.element instanceof Struct)) return type;
  return list(new Struct(name, type.element.fields, type.element.options), type.merge);
}

const asDefault = (value: unknown): Schema => (value === undefined ? {} : { default: value });
