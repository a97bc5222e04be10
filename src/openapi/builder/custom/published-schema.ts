// The published OpenAPI schema of a CustomResourceDefinition, in v3 and reduced to v2.
import {
  type ExtensionNames,
  extensionsOf,
  type JSONSchemaProps,
} from '../../../apis/apiextensions/json-schema.ts';
import type { Schema } from '../document.ts';

/** Words of JSON Schema that are published as they are. */
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

/** What every object of the API has, wherever it stands. */
export interface ObjectParts {
  readonly apiVersion: Schema;
  readonly kind: Schema;
  readonly metadata: Schema;
}

/** Of what a schema is published in. */
export interface Publishing {
  readonly names: ExtensionNames;
  /** What an object within another is said to have. */
  readonly embedded: ObjectParts;
  /** OpenAPI v2 says less, so that its readers do not refuse what the server takes. */
  readonly version: 2 | 3;
}

/** The schema of a custom kind, or of a part of it, as OpenAPI has it. There may be tens of thousands of parts. */
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

/** What is empty or false is what is meant without it. */
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

/** Where a value may be a number or a text, this is said in words that every reader knows. */
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
  // A property may have any name, `__proto__` too.
  if (names.length > 0) {
    own.properties = Object.fromEntries(
      names.map((name) => [name, publishedSchema(properties[name]!, publishing)]),
    );
  }
}

/** An object of the API within another must say what it is. */
function asEmbedded(schema: Schema, embedded: ObjectParts): Schema {
  const { required = [], properties = {} } = schema;
  const missing = ['kind', 'apiVersion'].filter((name) => !required.includes(name));
  return { ...schema, required: [...required, ...missing], properties: { ...properties, ...embedded } };
}
