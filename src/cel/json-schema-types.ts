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

/**
 * The parts of a structural schema that determine CEL types. Extensions (`x-kubernetes-list-type`) have the prefix of
 * the dialect.
 */
export interface CelJsonSchema {
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, CelJsonSchema>>;
  readonly additionalProperties?: CelJsonSchema | boolean;
  readonly items?: CelJsonSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly [extension: string]: unknown;
}

/** Derives CEL types from structural schemas, once for each schema. */
export class JsonSchemaReader {
  readonly #prefix: string;
  readonly #cache = new Map<CelJsonSchema, SchemaType | undefined>();

  constructor(extensionPrefix: string) {
    this.#prefix = extensionPrefix;
  }

  /**
   * Returns undefined for a schema without a CEL type. At the root of an object and of an embedded resource the type has
   * `apiVersion`, `kind`, `metadata.name` and `metadata.generateName`, and no other metadata.
   */
  schemaType(schema: CelJsonSchema, name: string, isRoot = this.#isEmbedded(schema)): SchemaType | undefined {
    if (this.#cache.has(schema)) return this.#cache.get(schema);
    const schemaType = this.#read(schema, name, isRoot);
    this.#cache.set(schema, schemaType);
    return schemaType;
  }

  #read(schema: CelJsonSchema, name: string, isRoot: boolean): SchemaType | undefined {
    if (schema[`${this.#prefix}int-or-string`] === true) return intOrStringSchema;
    const fullSchema = isRoot ? withMetadata(schema) : schema;
    switch (fullSchema.type) {
      case 'array':
        return this.#readArray(fullSchema, name);
      case 'object':
        return this.#readObject(fullSchema, name);
      case 'string':
        return readString(fullSchema);
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

  #isEmbedded(schema: CelJsonSchema): boolean {
    return schema[`${this.#prefix}embedded-resource`] === true;
  }

  #readArray(schema: CelJsonSchema, name: string): SchemaType | undefined {
    const element = schema.items && this.schemaType(schema.items, `${name}.@idx`);
    if (!element) return undefined;
    const keys = schema[`${this.#prefix}list-map-keys`] as readonly string[] | undefined;
    const keyOf = keyFunction(schema[`${this.#prefix}list-type`] as string | undefined, keys);
    return listSchema(element, clampToZero(schema.maxItems), keyOf);
  }

  #readObject(schema: CelJsonSchema, name: string): SchemaType | undefined {
    const { additionalProperties: additional } = schema;
    if (typeof additional === 'object') {
      const element = this.schemaType(additional, `${name}.@elem`);
      return element && mapSchema(element, clampToZero(schema.maxProperties));
    }
    const required = new Set(schema.required);
    const properties: (readonly [string, SchemaType])[] = [];
    let minBytes = 2;
    for (const [jsonName, property] of Object.entries(schema.properties ?? {})) {
      const schemaType = this.schemaType(property, `${name}.${escapeName(jsonName) ?? jsonName}`);
      if (!schemaType) continue;
      properties.push([jsonName, schemaType]);
      // Four more bytes: the quotes of the name, the colon and a comma.
      if (required.has(jsonName) && property.default === undefined)
        minBytes += Buffer.byteLength(jsonName) + schemaType.minBytes + 4;
    }
    return objectSchema(name, properties, minBytes);
  }
}

const stringSchemaJson: CelJsonSchema = { type: 'string' };
const restrictedMetadata: CelJsonSchema = {
  type: 'object',
  properties: { name: stringSchemaJson, generateName: stringSchemaJson },
};

function withMetadata(schema: CelJsonSchema): CelJsonSchema {
  return {
    ...schema,
    properties: {
      ...schema.properties,
      kind: stringSchemaJson,
      apiVersion: stringSchemaJson,
      metadata: restrictedMetadata,
    },
  };
}

const clampToZero = (value: number | undefined) => (value === undefined ? undefined : Math.max(0, value));

function readString(schema: CelJsonSchema): SchemaType {
  switch (schema.format) {
    case 'byte':
      return bytesSchema(clampToZero(schema.maxLength));
    case 'duration':
      return textSchema(duration, { maxElements: 32, minBytes: 3 }, parseDuration);
    case 'date':
      return textSchema(timestamp, { maxElements: 12, minBytes: 12 }, (date) =>
        parseTimestamp(`${date}T00:00:00Z`),
      );
    case 'date-time':
      return timeSchema;
  }
  // A character takes up to four bytes.
  if (schema.maxLength !== undefined) return stringSchema(clampToZero(schema.maxLength)! * 4);
  if (schema.enum && schema.enum.length > 0) {
    const lengths = schema.enum.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0));
    return stringSchema(Math.max(...lengths));
  }
  return stringSchema();
}
