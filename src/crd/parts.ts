// Custom resources: finds the values whose schema has list types, embedded resources or other extensions.
import { type ExtensionNames, type JSONSchemaProps, someInner } from '../apis/apiextensions/json-schema.ts';
import { isObject, type JsonValue } from '../codec/json/json-value.ts';

/** A list or object within an object, with its path and schema. */
export interface Part {
  readonly value: JsonValue;
  readonly schema: JSONSchemaProps;
  readonly path: string;
}

/** Finds the values whose schema has extensions with constraints. */
export class Parts {
  readonly #names: ExtensionNames;
  /** Whether a schema has such extensions, at any depth. */
  readonly #known = new WeakMap<JSONSchemaProps, boolean>();

  constructor(names: ExtensionNames) {
    this.#names = names;
  }

  /** A value and all within it, as far as there is something to be found. */
  *of(value: JsonValue, schema: JSONSchemaProps, path: string): Generator<Part, void> {
    if (typeof value !== 'object' || value === null || !this.#asksForMore(schema)) return;
    yield { value, schema, path };
    const { items, properties = {}, additionalProperties } = schema;
    if (Array.isArray(value)) {
      if (!items || Array.isArray(items) || !this.#asksForMore(items)) return;
      for (const [index, item] of value.entries()) yield* this.of(item, items, `${path}[${index}]`);
    } else if (isObject(value)) {
      for (const key in value) {
        if (Object.hasOwn(properties, key)) {
          yield* this.of(value[key]!, properties[key]!, path === '' ? key : `${path}.${key}`);
        } else if (typeof additionalProperties === 'object') {
          yield* this.of(value[key]!, additionalProperties, `${path}[${key}]`);
        }
      }
    }
  }

  #asksForMore(schema: JSONSchemaProps): boolean {
    const listType = schema[this.#names.listType];
    if (listType === 'set' || listType === 'map' || schema[this.#names.embeddedResource] === true)
      return true;
    // Of what has nothing in it, which most are, nothing is remembered.
    if (!schema.properties && !schema.items && !schema.additionalProperties) return false;
    let asks = this.#known.get(schema);
    if (asks === undefined) {
      asks = someInner(schema, (inner) => this.#asksForMore(inner));
      this.#known.set(schema, asks);
    }
    return asks;
  }
}
