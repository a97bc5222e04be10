import { type ExtensionNames, extensionsOf, type JSONSchemaProps } from '../api/apiextensions/json-schema.ts';
import { ObjectMeta } from '../api/meta/object-meta.ts';
import { type CustomForm, CustomType } from '../schema/custom.ts';
import type { Form } from '../schema/type.ts';

const scalars: Readonly<Record<string, Form>> = {
  string: 'string',
  boolean: 'bool',
  integer: 'int64',
  number: 'double',
};

/** What a structural schema says of the form of values. */
export function compileSchema(schema: JSONSchemaProps, names: ExtensionNames): CustomType {
  const { type = '', items, properties, additionalProperties, nullable, default: initial } = schema;
  const { preserveUnknownFields, embeddedResource, listType, listMapKeys, mapType } = extensionsOf(
    schema,
    names,
  );
  const parts = Object.entries(properties ?? {});
  const form: CustomForm = {
    ...(parts.length > 0 && {
      properties: Object.fromEntries(parts.map(([name, part]) => [name, compileSchema(part, names)])),
    }),
    ...(typeof additionalProperties === 'object' && {
      additional: compileSchema(additionalProperties, names),
    }),
    ...(items && !Array.isArray(items) && { items: compileSchema(items, names) }),
    ...((preserveUnknownFields || additionalProperties === true) && { keepsUnknown: true }),
    ...(embeddedResource && { metadata: ObjectMeta }),
    ...(nullable && { nullable }),
    ...(initial !== undefined && { default: initial }),
    ...(listType !== undefined && { listType: listType as CustomForm['listType'] & string }),
    ...(listMapKeys.length > 0 && { listKeys: listMapKeys }),
    ...(mapType === 'atomic' && { isAtomic: true }),
    ...(scalars[type] && { scalar: scalars[type] }),
  };
  return new CustomType(form);
}
