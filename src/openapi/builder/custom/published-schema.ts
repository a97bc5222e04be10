// The published OpenAPI schema of a CustomResourceDefinition, in v3 and reduced to v2.
import {
  type ExtensionNames,
  extensionsOf,
  type JSONSchemaProps,
} from '../../../apis/apiextensions/json-schema.ts';
import type { Schema } from '../document.ts';

/** JSON Schema keywords that are published unchanged. */
const plainWords = [
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
export interface ObjectParts {
  readonly apiVersion: Schema;
  readonly kind: Schema;
  readonly metadata: Schema;
}

/** Of what a schema is published in. */
export interface Publishing {
  readonly names: ExtensionNames;
  /** The fields of an embedded resource. */
  readonly embedded: ObjectParts;
  /** v2 is less strict, so that its clients do not reject what the server accepts. */
  readonly version: 2 | 3;
}

/** The published schema of a custom resource or of a part of it. There may be tens of thousands of parts. */
export function publishedSchema(schema: JSONSchemaProps, publishing: Publishing): Schema {
  const { names, version } = publishing;
  const extensions = extensionsOf(schema, names);
  const { preserveUnknownFields, embeddedResource } = extensions;
  const isVague = version === 2 && (preserveUnknownFields === true || schema.nullable === true);
  const own: WritableSchema = {};
  for (const word of plainWords) {
    const value = schema[word];
    if (!isUnsaid(value) && !(isVague && word === 'type')) own[word] = value;
  }
  if (version === 3) addOnlyVersion3(own, schema, extensions.intOrString === true, publishing);
  if (!isVague) addParts(own, schema, publishing);
  const { additionalProperties: values } = schema;
  if (values !== undefined) {
    own.additionalProperties = typeof values === 'boolean' ? values : publishedSchema(values, publishing);
  }
  for (const key in names) {
    const name = names[key as keyof ExtensionNames];
    const value = schema[name];
    if (!isUnsaid(value)) own[name] = value;
  }
  const isEmbedded = embeddedResource && !(version === 2 && preserveUnknownFields);
  return isEmbedded ? asEmbedded(own as Schema, publishing.embedded) : (own as Schema);
}

type WritableSchema = Record<string, unknown>;

/** Empty and false keywords are defaults. */
const isUnsaid = (value: unknown) =>
  value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);

function addOnlyVersion3(
  own: WritableSchema,
  schema: JSONSchemaProps,
  isNumberOrText: boolean,
  publishing: Publishing,
): void {
  const { default: initial, nullable, not } = schema;
  if (nullable) own.nullable = nullable;
  if (initial !== undefined && initial !== null) own.default = initial;
  const alternatives = alternativesOf(schema, isNumberOrText);
  for (const word of ['allOf', 'oneOf', 'anyOf'] as const) {
    const schemas = alternatives[word];
    if (schemas.length > 0) own[word] = schemas.map((one) => publishedSchema(one, publishing));
  }
  if (not) own.not = publishedSchema(not, publishing);
}

const numberOrText: readonly JSONSchemaProps[] = [{ type: 'integer' }, { type: 'string' }];

const none: readonly JSONSchemaProps[] = [];

const saysNumberOrText = (anyOf: readonly JSONSchemaProps[]) =>
  anyOf.length === 2 && anyOf[0]?.type === 'integer' && anyOf[1]?.type === 'string';

/** x-int-or-string in standard keywords. */
function alternativesOf(
  schema: JSONSchemaProps,
  isNumberOrText: boolean,
): Record<'allOf' | 'oneOf' | 'anyOf', readonly JSONSchemaProps[]> {
  const { allOf = none, oneOf = none, anyOf = none } = schema;
  const isSaid = saysNumberOrText(anyOf) || saysNumberOrText(allOf[0]?.anyOf ?? none);
  if (!isNumberOrText || isSaid) return { allOf, oneOf, anyOf };
  if (anyOf.length === 0) return { allOf, oneOf, anyOf: numberOrText };
  return { allOf: [{ anyOf: [...numberOrText] }, ...allOf], oneOf, anyOf };
}

function addParts(
  own: WritableSchema,
  { items, properties = {} }: JSONSchemaProps,
  publishing: Publishing,
): void {
  if (items && !Array.isArray(items)) own.items = publishedSchema(items, publishing);
  const names = Object.keys(properties);
  // A property may be named `__proto__`.
  if (names.length > 0) {
    own.properties = Object.fromEntries(
      names.map((name) => [name, publishedSchema(properties[name]!, publishing)]),
    );
  }
}

/** An embedded resource requires kind and apiVersion. */
function asEmbedded(schema: Schema, embedded: ObjectParts): Schema {
  const { required = [], properties = {} } = schema;
  const missing = ['kind', 'apiVersion'].filter((name) => !required.includes(name));
  return { ...schema, required: [...required, ...missing], properties: { ...properties, ...embedded } };
}
