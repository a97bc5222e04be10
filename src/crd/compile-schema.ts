// Custom resources: compiles a structural schema to the schema of a served kind.
import {
  type ExtensionNames,
  extensionsOf,
  type JSONSchemaProps,
} from '../apis/apiextensions/json-schema.ts';
import { type CooperativeYield, runWorkSync, type Work } from '../base/cooperative-yield.ts';
import { nullPrototypeObject } from '../codec/json/json-value.ts';
import { ObjectMeta } from '../kind/meta/object-meta.ts';
import { type CustomForm, CustomType } from '../schema/custom.ts';
import type { Form } from '../schema/type.ts';

const scalars: Readonly<Record<string, Form>> = {
  string: 'string',
  boolean: 'bool',
  integer: 'int64',
  number: 'double',
};

export function compileSchema(schema: JSONSchemaProps, names: ExtensionNames): CustomType {
  return runWorkSync(compiling(schema, names));
}

/** The same bit by bit: there may be tens of thousands of parts. */
export function* compiling(
  schema: JSONSchemaProps,
  names: ExtensionNames,
  turns?: CooperativeYield,
): Work<CustomType> {
  const { items, properties, additionalProperties } = schema;
  const form: Writable<CustomForm> = {};
  if (properties) {
    const parts: Record<string, CustomType> = nullPrototypeObject();
    let hasParts = false;
    for (const name in properties) {
      const stop = turns?.next();
      if (stop) yield stop;
      const part = properties[name]!;
      parts[name] = hasInner(part) ? yield* compiling(part, names, turns) : leaf(part, names);
      hasParts = true;
    }
    if (hasParts) form.properties = parts;
  }
  if (typeof additionalProperties === 'object') {
    form.additional = yield* compiling(additionalProperties, names, turns);
  }
  if (items && !Array.isArray(items)) form.items = yield* compiling(items, names, turns);
  return new CustomType(addOwn(form, schema, names));
}

const hasInner = ({ properties, items, additionalProperties }: JSONSchemaProps) =>
  properties !== undefined || items !== undefined || typeof additionalProperties === 'object';

const leaf = (schema: JSONSchemaProps, names: ExtensionNames) => new CustomType(addOwn({}, schema, names));

/** Adds the constraints of a subschema. */
function addOwn(
  form: Writable<CustomForm>,
  schema: JSONSchemaProps,
  names: ExtensionNames,
): Writable<CustomForm> {
  const { type = '', additionalProperties, nullable, default: initial } = schema;
  const { preserveUnknownFields, embeddedResource, listType, listMapKeys, mapType } = extensionsOf(
    schema,
    names,
  );
  if (preserveUnknownFields) form.keepsUnknown = true;
  // Also where they are forbidden: validation then names them.
  if (typeof additionalProperties === 'boolean') form.keepsMembers = true;
  if (embeddedResource) form.metadata = ObjectMeta;
  if (nullable) form.nullable = nullable;
  if (initial !== undefined) form.default = initial;
  if (listType !== undefined) form.listType = listType as CustomForm['listType'] & string;
  if (listMapKeys.length > 0) form.listKeys = listMapKeys;
  if (mapType === 'atomic') form.isAtomic = true;
  if (scalars[type]) form.scalar = scalars[type];
  return form;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
