// Custom resources: finds the values in an object whose schema has an extension with constraints: x-kubernetes-list-type set
// or map, or x-kubernetes-embedded-resource.
import {
  type ExtensionNames,
  type JSONSchemaProps,
  someSubschema,
} from '../apis/apiextensions/json-schema.ts';
import { isObject, type JsonValue } from '../codec/json/json-value.ts';

/** A list or object within an object, with its path and schema. */
export interface ExtensionValue {
  readonly value: JsonValue;
  readonly schema: JSONSchemaProps;
  readonly path: string;
}

export class ExtensionValues {
  readonly #names: ExtensionNames;
  /** Whether a schema has such extensions, itself or in a subschema. */
  readonly #hasExtensionsCache = new WeakMap<JSONSchemaProps, boolean>();

  constructor(names: ExtensionNames) {
    this.#names = names;
  }

  /** Walks a value, skipping those whose schema has no such extensions. */
  *find(value: JsonValue, schema: JSONSchemaProps, path: string): Generator<ExtensionValue, void> {
    if (typeof value !== 'object' || value === null || !this.#hasExtensions(schema)) return;
    yield { value, schema, path };
    const { items, properties = {}, additionalProperties } = schema;
    if (Array.isArray(value)) {
      if (!items || Array.isArray(items) || !this.#hasExtensions(items)) return;
      for (const [index, item] of value.entries()) yield* this.find(item, items, `${path}[${index}]`);
    } else if (isObject(value)) {
      for (const key in value) {
        if (Object.hasOwn(properties, key)) {
          yield* this.find(value[key]!, properties[key]!, path === '' ? key : `${path}.${key}`);
        } else if (typeof additionalProperties === 'object') {
          yield* this.find(value[key]!, additionalProperties, `${path}[${key}]`);
        }
      }
    }
  }

  #hasExtensions(schema: JSONSchemaProps): boolean {
    const listType = schema[this.#names.listType];
    if (listType === 'set' || listType === 'map' || schema[this.#names.embeddedResource] === true)
      return true;
    // Leaf schemas, which are most, are not cached.
    if (!schema.properties && !schema.items && !schema.additionalProperties) return false;
    let hasExtensions = this.#hasExtensionsCache.get(schema);
    if (hasExtensions === undefined) {
      hasExtensions = someSubschema(schema, (subschema) => this.#hasExtensions(subschema));
      this.#hasExtensionsCache.set(schema, hasExtensions);
    }
    return hasExtensions;
  }
}
