import { type ExtensionNames, extensionsOf, type JSONSchemaProps } from '../api/apiextensions/json-schema.ts';
import { ObjectMeta } from '../api/meta/object-meta.ts';
import { userKeyed } from '../codec/json/json-value.ts';
import { type CustomForm, CustomType } from '../schema/custom.ts';
import type { Form } from '../schema/type.ts';

const scalars: Readonly<Record<string, Form>> = {
  string: 'string',
  boolean: 'bool',
  integer: 'int64',
  number: 'double',
};

/** What a structural schema says of the form of values. There may be tens of thousands of parts. */
export function compileSchema(schema: JSONSchemaProps, names: ExtensionNames): CustomType {
  const { type = '', items, properties, additionalProperties, nullable, default: initial } = schema;
  const { preserveUnknownFields, embeddedResource, listType, listMapKeys, mapType } = extensionsOf(
    schema,
    names,
  );
  const form: Writable<CustomForm> = {};
  if (properties) {
    const parts: Record<string, CustomType> = userKeyed();
    let hasParts = false;
    for (const name in properties) {
      parts[name] = compileSchema(properties[name]!, names);
      hasParts = true;
    }
    if (hasParts) form.properties = parts;
  }
  if (typeof additionalProperties === 'object') form.additional = compileSchema(additionalProperties, names);
  if (items && !Array.isArray(items)) form.items = compileSchema(items, names);
  if (preserveUnknownFields || additionalProperties === true) form.keepsUnknown = true;
  if (embeddedResource) form.metadata = ObjectMeta;
  if (nullable) form.nullable = nullable;
  if (initial !== undefined) form.default = initial;
  if (listType !== undefined) form.listType = listType as CustomForm['listType'] & string;
  if (listMapKeys.length > 0) form.listKeys = listMapKeys;
  if (mapType === 'atomic') form.isAtomic = true;
  if (scalars[type]) form.scalar = scalars[type];
  return new CustomType(form);
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
