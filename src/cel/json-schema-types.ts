// CEL types of custom resources, from their structural schemas.
import { escapeName } from './escaping.ts';
import {
  boolSchema,
  bytesSchema,
  doubleSchema,
  intOrStringSchema,
  intSchema,
  keyFunction,
  listSchema,
  mapSchema,
  objectSchema,
  type SchemaType,
  stringSchema,
  textSchema,
  timeSchema,
} from './schema-types.ts';
import { parseDuration, parseTimestamp } from './time/text.ts';
import { duration, timestamp } from './types.ts';

/** The parts of a custom kind's schema that CEL goes by. Extensions stand without the service's name: `x-…-list-type`. */
export interface JsonSchema {
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly [extension: string]: unknown;
}

/** Reads schemas whose extensions begin with the dialect's prefix, each of them once. */
export class JsonSchemaReader {
  readonly #prefix: string;
  readonly #known = new Map<JsonSchema, SchemaType | undefined>();

  constructor(extensionPrefix: string) {
    this.#prefix = extensionPrefix;
  }

  /**
   * A schema as CEL sees it, undefined where it does not. At the root of an object, `apiVersion`, `kind`, the name and
   * its beginning are there in any case, and nothing else of the metadata.
   */
  read(schema: JsonSchema, name: string, isRoot = this.#isEmbedded(schema)): SchemaType | undefined {
    if (this.#known.has(schema)) return this.#known.get(schema);
    const read = this.#read(schema, name, isRoot);
    this.#known.set(schema, read);
    return read;
  }

  #read(schema: JsonSchema, name: string, isRoot: boolean): SchemaType | undefined {
    if (schema[`${this.#prefix}int-or-string`] === true) return intOrStringSchema;
    const whole = isRoot ? withMetadata(schema) : schema;
    switch (whole.type) {
      case 'array':
        return this.#array(whole, name);
      case 'object':
        return this.#object(whole, name);
      case 'string':
        return readString(whole);
      case 'boolean':
        return boolSchema;
      case 'number':
        return doubleSchema;
      case 'integer':
        return intSchema;
      default:
        return undefined;
    }
  }

  #isEmbedded(schema: JsonSchema): boolean {
    return schema[`${this.#prefix}embedded-resource`] === true;
  }

  #array(schema: JsonSchema, name: string): SchemaType | undefined {
    const element = schema.items && this.read(schema.items, `${name}.@idx`);
    if (!element) return undefined;
    const keys = schema[`${this.#prefix}list-map-keys`] as readonly string[] | undefined;
    const keyOf = keyFunction(schema[`${this.#prefix}list-type`] as string | undefined, keys);
    return listSchema(element, atLeastZero(schema.maxItems), keyOf);
  }

  #object(schema: JsonSchema, name: string): SchemaType | undefined {
    const { additionalProperties: more } = schema;
    if (typeof more === 'object') {
      const element = this.read(more, `${name}.@elem`);
      return element && mapSchema(element, atLeastZero(schema.maxProperties));
    }
    const required = new Set(schema.required);
    const properties: (readonly [string, SchemaType])[] = [];
    let minBytes = 2;
    for (const [jsonName, property] of Object.entries(schema.properties ?? {})) {
      const read = this.read(property, `${name}.${escapeName(jsonName) ?? jsonName}`);
      if (!read) continue;
      properties.push([jsonName, read]);
      if (required.has(jsonName) && property.default === undefined)
        minBytes += Buffer.byteLength(jsonName) + read.minBytes + 4;
    }
    return objectSchema(name, properties, minBytes);
  }
}

const text: JsonSchema = { type: 'string' };
const restrictedMetadata: JsonSchema = { type: 'object', properties: { name: text, generateName: text } };

function withMetadata(schema: JsonSchema): JsonSchema {
  return {
    ...schema,
    properties: { ...schema.properties, kind: text, apiVersion: text, metadata: restrictedMetadata },
  };
}

const atLeastZero = (value: number | undefined) => (value === undefined ? undefined : Math.max(0, value));

function readString(schema: JsonSchema): SchemaType {
  switch (schema.format) {
    case 'byte':
      return bytesSchema(atLeastZero(schema.maxLength));
    case 'duration':
      return textSchema(duration, 32, 3, parseDuration);
    case 'date':
      return textSchema(timestamp, 12, 12, (value) => parseTimestamp(`${value}T00:00:00Z`));
    case 'date-time':
      return timeSchema;
  }
  // A character may take four bytes.
  if (schema.maxLength !== undefined) return stringSchema(atLeastZero(schema.maxLength)! * 4);
  if (schema.enum && schema.enum.length > 0) {
    const lengths = schema.enum.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0));
    return stringSchema(Math.max(...lengths));
  }
  return stringSchema();
}
