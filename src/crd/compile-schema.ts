// Custom resources: compiles a structural schema to the schema of a served kind.
import {
  type ExtensionNames,
  extensionsOf,
  type JSONSchemaProps,
} from '../apis/apiextensions/json-schema.ts';
import { type CooperativeTask, type CooperativeYield, runTaskSync } from '../base/cooperative-yield.ts';
import { nullPrototypeObject } from '../codec/json/json-value.ts';
import { ObjectMeta } from '../kind/meta/object-meta.ts';
import { type CustomForm, CustomType } from '../schema/custom.ts';
import type { TypeCategory } from '../schema/type.ts';

/** The schema form of each scalar OpenAPI type. */
const scalars: Readonly<Record<string, TypeCategory>> = {
  string: 'string',
  boolean: 'bool',
  integer: 'int64',
  number: 'double',
};

export function compileSchema(schema: JSONSchemaProps, names: ExtensionNames): CustomType {
  return runTaskSync(compileSchemaInSteps(schema, names));
}

/** Yields between subschemas, because a schema can have tens of thousands. */
export function* compileSchemaInSteps(
  schema: JSONSchemaProps,
  names: ExtensionNames,
  cooperativeYield?: CooperativeYield,
): CooperativeTask<CustomType> {
  const { items, properties, additionalProperties } = schema;
  const constraints: Writable<CustomForm> = {};
  if (properties) {
    const compiled: Record<string, CustomType> = nullPrototypeObject();
    let hasProperties = false;
    for (const name in properties) {
      const yielding = cooperativeYield?.next();
      if (yielding) yield yielding;
      const subschema = properties[name]!;
      compiled[name] = hasSubschemas(subschema)
        ? yield* compileSchemaInSteps(subschema, names, cooperativeYield)
        : compileLeaf(subschema, names);
      hasProperties = true;
    }
    if (hasProperties) constraints.properties = compiled;
  }
  if (typeof additionalProperties === 'object') {
    constraints.additional = yield* compileSchemaInSteps(additionalProperties, names, cooperativeYield);
  }
  if (items && !Array.isArray(items))
    constraints.items = yield* compileSchemaInSteps(items, names, cooperativeYield);
  return new CustomType(addConstraints(constraints, schema, names));
}

const hasSubschemas = ({ properties, items, additionalProperties }: JSONSchemaProps) =>
  properties !== undefined || items !== undefined || typeof additionalProperties === 'object';

const compileLeaf = (schema: JSONSchemaProps, names: ExtensionNames) =>
  new CustomType(addConstraints({}, schema, names));

/** Adds the constraints of the schema itself, without its subschemas. */
function addConstraints(
  constraints: Writable<CustomForm>,
  schema: JSONSchemaProps,
  names: ExtensionNames,
): Writable<CustomForm> {
  const { type = '', additionalProperties, nullable, default: defaultValue } = schema;
  const { preserveUnknownFields, embeddedResource, listType, listMapKeys, mapType } = extensionsOf(
    schema,
    names,
  );
  if (preserveUnknownFields) constraints.keepsUnknown = true;
  // Also for `false`: members must survive decoding, so that validation can report them.
  if (typeof additionalProperties === 'boolean') constraints.keepsMembers = true;
  if (embeddedResource) constraints.metadata = ObjectMeta;
  if (nullable) constraints.nullable = nullable;
  if (defaultValue !== undefined) constraints.default = defaultValue;
  if (listType !== undefined) constraints.listType = listType as CustomForm['listType'] & string;
  if (listMapKeys.length > 0) constraints.listKeys = listMapKeys;
  if (mapType === 'atomic') constraints.isAtomic = true;
  if (scalars[type]) constraints.scalar = scalars[type];
  return constraints;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
