import {
  type ExtensionNames,
  extensionsOf,
  type JSONSchemaProps,
} from '../../api/apiextensions/json-schema.ts';
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

/** The schema of a custom kind, or of a part of it, as OpenAPI has it. */
export function publishedSchema(schema: JSONSchemaProps, publishing: Publishing): Schema {
  const { names, version } = publishing;
  const { preserveUnknownFields, embeddedResource } = extensionsOf(schema, names);
  const isVague = version === 2 && (preserveUnknownFields === true || schema.nullable === true);
  const own: Schema = {
    ...wordsOf(schema, isVague),
    ...(version === 3 && onlyVersion3(schema, publishing)),
    ...(!isVague && partsOf(schema, publishing)),
    ...mapOf(schema, publishing),
    ...extensionWords(schema, names),
  };
  const isEmbedded = embeddedResource && !(version === 2 && preserveUnknownFields);
  return isEmbedded ? asEmbedded(own, publishing.embedded) : own;
}

function wordsOf(schema: JSONSchemaProps, isVague: boolean): Schema {
  const said = plainWords.flatMap((word) => {
    const value = schema[word];
    if (isUnsaid(value)) return [];
    return isVague && word === 'type' ? [] : [[word, value] as const];
  });
  return Object.fromEntries(said);
}

/** What is empty or false is what is meant without it. */
const isUnsaid = (value: unknown) =>
  value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);

function onlyVersion3(schema: JSONSchemaProps, publishing: Publishing): Schema {
  const all = (schemas: readonly JSONSchemaProps[]) => schemas.map((one) => publishedSchema(one, publishing));
  const { allOf, oneOf, anyOf } = alternativesOf(schema, publishing.names);
  const { default: initial, nullable, not } = schema;
  return {
    ...(nullable && { nullable }),
    ...(initial !== undefined && initial !== null && { default: initial }),
    ...(!isUnsaid(allOf) && { allOf: all(allOf) }),
    ...(!isUnsaid(oneOf) && { oneOf: all(oneOf) }),
    ...(!isUnsaid(anyOf) && { anyOf: all(anyOf) }),
    ...(not && { not: publishedSchema(not, publishing) }),
  };
}

const numberOrText: readonly JSONSchemaProps[] = [{ type: 'integer' }, { type: 'string' }];

const saysNumberOrText = (anyOf: readonly JSONSchemaProps[]) =>
  anyOf.length === 2 && anyOf[0]?.type === 'integer' && anyOf[1]?.type === 'string';

/** Where a value may be a number or a text, this is said in words that every reader knows. */
function alternativesOf(
  schema: JSONSchemaProps,
  names: ExtensionNames,
): Record<'allOf' | 'oneOf' | 'anyOf', readonly JSONSchemaProps[]> {
  const { allOf = [], oneOf = [], anyOf = [] } = schema;
  const isSaid = saysNumberOrText(anyOf) || saysNumberOrText(allOf[0]?.anyOf ?? []);
  if (!extensionsOf(schema, names).intOrString || isSaid) return { allOf, oneOf, anyOf };
  if (anyOf.length === 0) return { allOf, oneOf, anyOf: numberOrText };
  return { allOf: [{ anyOf: [...numberOrText] }, ...allOf], oneOf, anyOf };
}

function partsOf({ items, properties = {} }: JSONSchemaProps, publishing: Publishing): Schema {
  const parts = Object.entries(properties).map(([name, part]) => [name, publishedSchema(part, publishing)]);
  return {
    ...(items && !Array.isArray(items) && { items: publishedSchema(items, publishing) }),
    ...(parts.length > 0 && { properties: Object.fromEntries(parts) }),
  };
}

function mapOf({ additionalProperties: values }: JSONSchemaProps, publishing: Publishing): Schema {
  if (values === undefined) return {};
  return { additionalProperties: typeof values === 'boolean' ? values : publishedSchema(values, publishing) };
}

function extensionWords(schema: JSONSchemaProps, names: ExtensionNames): Schema {
  const said = Object.values(names)
    .map((name) => [name, schema[name]] as const)
    .filter(([, value]) => !isUnsaid(value));
  return Object.fromEntries(said);
}

/** An object of the API within another must say what it is. */
function asEmbedded(schema: Schema, embedded: ObjectParts): Schema {
  const { required = [], properties = {} } = schema;
  const missing = ['kind', 'apiVersion'].filter((name) => !required.includes(name));
  return { ...schema, required: [...required, ...missing], properties: { ...properties, ...embedded } };
}
