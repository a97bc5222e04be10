// The published OpenAPI schema of a CustomResourceDefinition, in v3 and reduced to v2.
import {
  type ExtensionNames,
  extensionsOf,
  type JSONSchemaProps,
} from '../../../apis/apiextensions/json-schema.ts';
import type { Schema } from '../document.ts';

/** JSON Schema keywords that are published unchanged. */
const copiedKeywords = [
  'description',
  'type',
  'format',
  'title',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'multipleOf',
  'enum',
  'maxProperties',
  'minProperties',
  'required',
] as const satisfies readonly (keyof JSONSchemaProps & keyof Schema)[];

/** The fields of every API object. */
export interface CommonProperties {
  readonly apiVersion: Schema;
  readonly kind: Schema;
  readonly metadata: Schema;
}

export interface PublishOptions {
  readonly names: ExtensionNames;
  /** The fields of an embedded resource. */
  readonly embedded: CommonProperties;
  /** v2 schemas are relaxed, so that clients do not reject objects that the server accepts. */
  readonly version: 2 | 3;
}

/** Converts a schema and its subschemas. Called for tens of thousands of subschemas, so it avoids intermediate objects. */
export function publishedSchema(schema: JSONSchemaProps, options: PublishOptions): Schema {
  const { names, version } = options;
  const extensions = extensionsOf(schema, names);
  const { preserveUnknownFields, embeddedResource } = extensions;
  const isRelaxed = version === 2 && (preserveUnknownFields === true || schema.nullable === true);
  const result: WritableSchema = {};
  for (const keyword of copiedKeywords) {
    const value = schema[keyword];
    if (!isOmitted(value) && !(isRelaxed && keyword === 'type')) result[keyword] = value;
  }
  if (version === 3) addVersion3Keywords(result, schema, extensions.intOrString === true, options);
  if (!isRelaxed) addSubschemas(result, schema, options);
  const { additionalProperties: valueSchema } = schema;
  if (valueSchema !== undefined) {
    result.additionalProperties =
      typeof valueSchema === 'boolean' ? valueSchema : publishedSchema(valueSchema, options);
  }
  for (const key in names) {
    const name = names[key as keyof ExtensionNames];
    const value = schema[name];
    if (!isOmitted(value)) result[name] = value;
  }
  const isEmbedded = embeddedResource && !(version === 2 && preserveUnknownFields);
  return isEmbedded ? asEmbedded(result as Schema, options.embedded) : (result as Schema);
}

type WritableSchema = Record<string, unknown>;

/** Keywords with these values are omitted. */
const isOmitted = (value: unknown) =>
  value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);

function addVersion3Keywords(
  result: WritableSchema,
  schema: JSONSchemaProps,
  isIntOrString: boolean,
  options: PublishOptions,
): void {
  const { default: defaultValue, nullable, not } = schema;
  if (nullable) result.nullable = nullable;
  if (defaultValue !== undefined && defaultValue !== null) result.default = defaultValue;
  const alternatives = alternativesOf(schema, isIntOrString);
  for (const keyword of ['allOf', 'oneOf', 'anyOf'] as const) {
    const schemas = alternatives[keyword];
    if (schemas.length > 0)
      result[keyword] = schemas.map((alternative) => publishedSchema(alternative, options));
  }
  if (not) result.not = publishedSchema(not, options);
}

const intOrStringTypes: readonly JSONSchemaProps[] = [{ type: 'integer' }, { type: 'string' }];

const noSchemas: readonly JSONSchemaProps[] = [];

const isIntOrStringAnyOf = (anyOf: readonly JSONSchemaProps[]) =>
  anyOf.length === 2 && anyOf[0]?.type === 'integer' && anyOf[1]?.type === 'string';

/** Expresses x-int-or-string as an anyOf of integer and string, unless the schema does so already. */
function alternativesOf(
  schema: JSONSchemaProps,
  isIntOrString: boolean,
): Record<'allOf' | 'oneOf' | 'anyOf', readonly JSONSchemaProps[]> {
  const { allOf = noSchemas, oneOf = noSchemas, anyOf = noSchemas } = schema;
  const isDeclared = isIntOrStringAnyOf(anyOf) || isIntOrStringAnyOf(allOf[0]?.anyOf ?? noSchemas);
  if (!isIntOrString || isDeclared) return { allOf, oneOf, anyOf };
  if (anyOf.length === 0) return { allOf, oneOf, anyOf: intOrStringTypes };
  return { allOf: [{ anyOf: [...intOrStringTypes] }, ...allOf], oneOf, anyOf };
}

function addSubschemas(
  result: WritableSchema,
  { items, properties = {} }: JSONSchemaProps,
  options: PublishOptions,
): void {
  if (items && !Array.isArray(items)) result.items = publishedSchema(items, options);
  const names = Object.keys(properties);
  // Object.fromEntries, because a property may be named `__proto__`.
  if (names.length > 0) {
    result.properties = Object.fromEntries(
      names.map((name) => [name, publishedSchema(properties[name]!, options)]),
    );
  }
}

/** An embedded resource requires kind and apiVersion. */
function asEmbedded(schema: Schema, embedded: CommonProperties): Schema {
  const { required = [], properties = {} } = schema;
  const missing = ['kind', 'apiVersion'].filter((name) => !required.includes(name));
  return { ...schema, required: [...required, ...missing], properties: { ...properties, ...embedded } };
}
