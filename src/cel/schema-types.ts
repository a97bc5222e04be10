// CEL types of built-in kinds, from their schemas, and the constructors of such types. json-schema-types.ts uses them for
// custom resources.
import type { ListType, MapType } from '../schema/collections.ts';
import type { Struct } from '../schema/struct.ts';
import type { Type } from '../schema/type.ts';
import type { SizeHints } from './cost/estimate.ts';
import type { Variable } from './environment.ts';
import { fail } from './errors.ts';
import { escapeName } from './escaping.ts';
import { parseTimestamp } from './time/text.ts';
import {
  bool,
  bytes,
  type CelType,
  double,
  dyn,
  int,
  listOf,
  mapOf,
  type StructField,
  string,
  struct,
  timestamp,
} from './types.ts';
import { Bytes, CelMap, Double, FieldsObject, fromJson, jsonMap, KeyedList, type Value } from './values.ts';

/** The request size limit. It also limits strings and lists; their quotes or brackets take two bytes of it. */
export const maxRequestBytes = 3 * 1024 * 1024;

/** A schema in CEL: its type, the conversion of JSON values, and size limits. */
export interface SchemaType {
  readonly type: CelType;
  /** Absent if the JSON value is the CEL value. */
  readonly adapt?: (json: unknown) => Value;
  /** Maximum number of characters or elements; 0 for other types. */
  readonly maxElements: number;
  /** Minimum size as JSON. */
  readonly minBytes: number;
  readonly element?: SchemaType;
  readonly key?: SchemaType;
  /** By CEL name. */
  readonly fields?: ReadonlyMap<string, SchemaField>;
}

interface SchemaField extends StructField {
  readonly schema: SchemaType;
}

const scalar = (type: CelType, minBytes: number, adapt?: (json: unknown) => Value): SchemaType => ({
  type,
  maxElements: 0,
  minBytes,
  ...(adapt && { adapt }),
});

export const boolSchema = scalar(bool, 4);
export const intSchema = scalar(int, 1, fromJson);
export const doubleSchema = scalar(double, 1, (json) =>
  typeof json === 'number' ? new Double(json) : doubleFromJson(json),
);
/** The type is known at runtime only. */
export const intOrStringSchema: SchemaType = { type: dyn, maxElements: maxRequestBytes - 2, minBytes: 1 };

function doubleFromJson(json: unknown): Value {
  const value = fromJson(json);
  return typeof value === 'bigint' ? new Double(Number(value)) : value;
}

export const stringSchema = (maxElements = maxRequestBytes - 2): SchemaType => ({
  type: string,
  maxElements,
  minBytes: 2,
});

export const bytesSchema = (maxElements = maxRequestBytes - 2): SchemaType => ({
  type: bytes,
  maxElements,
  minBytes: 2,
  adapt: (json) => (typeof json === 'string' ? new Bytes(Buffer.from(json, 'base64')) : fromJson(json)),
});

/** A type that JSON represents as a string. */
export function textSchema(
  type: CelType,
  limits: Pick<SchemaType, 'maxElements' | 'minBytes'>,
  parse: (text: string) => Value | undefined,
): SchemaType {
  return {
    type,
    ...limits,
    adapt: (json) => {
      if (typeof json !== 'string') return fromJson(json);
      const value = parse(json);
      return value === undefined ? fail(`Invalid ${type.kind} formatted string ${json}`) : value;
    },
  };
}

export const timeSchema = textSchema(timestamp, { maxElements: 32, minBytes: 21 }, parseTimestamp);

/**
 * Without `maxItems` the request size determines the maximum length. `keyOf` is the key function of a list with list-type
 * set or map.
 */
export function listSchema(
  element: SchemaType,
  maxItems?: number,
  keyOf?: (json: Value) => string,
): SchemaType {
  const adapt = listAdaptor(element, keyOf);
  return {
    type: listOf(element.type),
    maxElements: maxItems ?? Math.floor((maxRequestBytes - 2) / (element.minBytes + 1)),
    minBytes: 2,
    element,
    ...(adapt && { adapt }),
  };
}

function listAdaptor(element: SchemaType, keyOf?: (json: Value) => string): SchemaType['adapt'] {
  const adapt = elementAdaptor(element);
  if (keyOf) return (json) => keyedList(json, adapt ?? fromJson, keyOf);
  return adapt && ((json) => (Array.isArray(json) ? json.map(adapt) : fromJson(json)));
}

/** Undefined if elements stay JSON: the interpreter applies `fromJson` when it reads them. */
const elementAdaptor = ({ adapt }: SchemaType) => (adapt === fromJson ? undefined : adapt);

function keyedList(json: unknown, adapt: (json: unknown) => Value, keyOf: (json: Value) => string): Value {
  if (!Array.isArray(json)) return fromJson(json);
  const list = KeyedList.from(json, adapt) as KeyedList;
  list.keyOf = keyOf;
  return list;
}

export function mapSchema(element: SchemaType, maxProperties?: number): SchemaType {
  const adapt = elementAdaptor(element);
  return {
    type: mapOf(string, element.type),
    maxElements: maxProperties ?? Math.floor((maxRequestBytes - 2) / (element.minBytes + 6)),
    minBytes: 2,
    key: { type: string, maxElements: 0, minBytes: 2 },
    element,
    ...(adapt && { adapt: (json: unknown) => adaptMap(json, adapt) }),
  };
}

function adaptMap(json: unknown, adapt: (json: unknown) => Value): Value {
  const value = fromJson(json);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof CelMap)
    return value;
  return jsonMap(Object.entries(value).map(([key, member]) => [key, adapt(member)]));
}

/** An object with these properties by JSON name. `minBytes`: the minimum size of the required ones. */
export function objectSchema(
  name: string,
  properties: Iterable<readonly [jsonName: string, schema: SchemaType]>,
  minBytes = 2,
): SchemaType {
  const fields = new Map<string, SchemaField>();
  /** Whether the JSON object is the CEL value, without renamed or converted fields. */
  let isPlain = true;
  for (const [jsonName, schema] of properties) {
    const celName = escapeName(jsonName);
    if (celName === undefined) continue;
    fields.set(celName, { type: schema.type, jsonName, schema });
    // Reserved words are allowed as field names.
    if (celName === `__${jsonName}__`) fields.set(jsonName, { type: schema.type, jsonName, schema });
    if (celName !== jsonName || (schema.adapt && schema.adapt !== fromJson)) isPlain = false;
  }
  const type = struct(name, fields);
  return {
    type,
    maxElements: 0,
    minBytes,
    fields,
    ...(!isPlain && { adapt: (json: unknown) => adaptObject(json, type, fields) }),
  };
}

function adaptObject(json: unknown, type: CelType, fields: ReadonlyMap<string, SchemaField>): Value {
  const value = fromJson(json);
  const isObject =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof FieldsObject);
  return isObject ? new SchemaObject(value as Record<string, unknown>, type, fields) : value;
}

/** A JSON object whose fields have the types of a schema. */
class SchemaObject extends FieldsObject {
  readonly #json: Readonly<Record<string, unknown>>;
  readonly #type: CelType;
  readonly #fields: ReadonlyMap<string, SchemaField>;

  constructor(
    json: Readonly<Record<string, unknown>>,
    type: CelType,
    fields: ReadonlyMap<string, SchemaField>,
  ) {
    super();
    this.#json = json;
    this.#type = type;
    this.#fields = fields;
  }

  override get type(): CelType {
    return this.#type;
  }

  override get(name: string): Value | undefined {
    const field = this.#fields.get(name);
    if (!field || !Object.hasOwn(this.#json, field.jsonName)) return undefined;
    const json = this.#json[field.jsonName];
    if (json === undefined) return undefined;
    return (field.schema.adapt ?? fromJson)(json);
  }

  override fields(): readonly string[] {
    return [...this.#fields.keys()].filter((name) => {
      const isAlias = this.#fields.has(`__${name}__`);
      return !isAlias && this.get(name) !== undefined;
    });
  }
}

/**
 * The CEL type of a kind's schema. Its name starts with that of the variable: `object.spec` has the type
 * `object.spec`.
 */
export function celSchemaType(type: Type, name: string): SchemaType {
  return new SchemaTypeReader().read(type, name) ?? { type: dyn, maxElements: 0, minBytes: 1 };
}

class SchemaTypeReader {
  /** The structs around the current one: a recursive struct becomes dyn. */
  readonly #enclosingStructs = new Set<Type>();

  /** Undefined for a type that CEL cannot express. A struct leaves out fields of such a type. */
  read(type: Type, name: string): SchemaType | undefined {
    switch (type.category) {
      case 'string':
      case 'duration':
        return stringSchema();
      case 'bool':
        return boolSchema;
      case 'int32':
      case 'int64':
        return intSchema;
      case 'double':
        return doubleSchema;
      case 'bytes':
        return bytesSchema();
      case 'time':
      case 'microTime':
        return timeSchema;
      case 'intOrString':
        return intOrStringSchema;
      case 'list':
        return this.#readList(type as ListType<unknown>, name);
      case 'map': {
        const element = this.read((type as MapType<unknown>).element, `${name}.@elem`);
        return element && mapSchema(element);
      }
      case 'struct':
        return this.#readStruct(type as Struct<unknown>, name);
      case 'raw':
        return type.name === 'v1.JSON' ? undefined : objectSchema(name, []);
      // As upstream: `object.spec.containers[0].resources.limits` is an undefined field for the type checker.
      case 'quantity':
      case 'union':
        return undefined;
    }
  }

  #readList(type: ListType<unknown>, name: string): SchemaType | undefined {
    const element = this.read(type.element, `${name}.@idx`);
    return element && listSchema(element, undefined, keyFunction(type.merge.type, type.merge.keys));
  }

  #readStruct(type: Struct<unknown>, name: string): SchemaType {
    if (this.#enclosingStructs.has(type)) return { type: dyn, maxElements: 0, minBytes: 1 };
    this.#enclosingStructs.add(type);
    const properties: (readonly [string, SchemaType])[] = [];
    let minBytes = 2;
    for (const [jsonName, field] of Object.entries(type.fields)) {
      const schema = this.read(field.type, `${name}.${escapeName(jsonName) ?? jsonName}`);
      if (!schema) continue;
      properties.push([jsonName, schema]);
      // Four more bytes: the quotes of the name, the colon and a comma.
      if (field.required && field.default === undefined) minBytes += jsonName.length + schema.minBytes + 4;
    }
    this.#enclosingStructs.delete(type);
    return objectSchema(name, properties, minBytes);
  }
}

/** The key function of a list with list-type set or map; undefined for other lists. */
export function keyFunction(
  type: string | undefined,
  keys: readonly string[] = [],
): ((element: Value) => string) | undefined {
  if (type === 'set') return (element) => JSON.stringify(element) ?? 'null';
  if (type !== 'map') return undefined;
  return (element) => JSON.stringify(keys.map((key) => fieldValue(element, key) ?? null));
}

function fieldValue(element: Value, key: string): unknown {
  if (element instanceof FieldsObject) return element.get(escapeName(key) ?? key);
  return typeof element === 'object' && element !== null
    ? (element as Record<string, unknown>)[key]
    : undefined;
}

/** Declares a variable with the type of a schema. */
export function variableFor({ type, adapt }: SchemaType): Variable {
  return { type, ...(adapt && { adapt }) };
}

/** Size limits of the variables. */
export function schemaSizeHints(variables: Readonly<Record<string, SchemaType>>): SizeHints {
  return {
    maxSize([name, ...path]) {
      let current = Object.hasOwn(variables, name!) ? variables[name!] : undefined;
      for (const part of path) {
        if (part === '@items' || part === '@values') current = current?.element;
        else if (part === '@keys') current = current?.key;
        else current = current?.fields?.get(part)?.schema;
      }
      return current?.maxElements;
    },
  };
}
