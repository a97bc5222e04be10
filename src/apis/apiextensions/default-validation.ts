// CustomResourceDefinition validation: defaults in structural schemas.
import type { CooperativeTask } from '../../base/cooperative-yield.ts';
import { isObject, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';
import { addErrors, type FieldError, forbidden, invalid, required } from '../../errors/field-error.ts';
import { formatInvalidValue } from '../../errors/format-invalid-value.ts';
import { hasMaxErrors } from './cost-budget.ts';
import { extensionsOf, type JSONSchemaProps } from './json-schema.ts';
import type { SchemaValidationOptions } from './patterns.ts';
import { validateValue } from './value-validation.ts';

/** Validates the defaults in a structural schema: they must be valid and pruned. */
export function* validateDefaults(
  schema: JSONSchemaProps,
  path: string,
  options: SchemaValidationOptions,
): CooperativeTask<FieldError[]> {
  const errors: FieldError[] = [];
  yield* validateSubschemaDefaults(schema, path, options, 'root', errors);
  return [...errors, ...rejectObjectFieldDefaults(schema, path)];
}

function* validateSubschemaDefaults(
  schema: JSONSchemaProps,
  path: string,
  options: SchemaValidationOptions,
  position: 'root' | 'nested',
  errors: FieldError[],
): CooperativeTask<void> {
  if (hasMaxErrors(errors)) return;
  const yielding = options.budget.spend();
  if (yielding) yield yielding;
  // Like kube-apiserver, skips defaults below additionalProperties.
  const { items, properties = {} } = schema;
  const isRoot = position === 'root';
  if (schema.default !== undefined && schema.default !== null) {
    const isApiObject = isRoot || extensionsOf(schema, options).embeddedResource;
    addErrors(
      errors,
      yield* validateDefault(schema.default, schema, `${path}.default`, options, isApiObject),
    );
  }
  if (items && !Array.isArray(items))
    yield* validateSubschemaDefaults(items, `${path}.items`, options, 'nested', errors);
  for (const name of Object.keys(properties).sort()) {
    // The fields of metadata are fixed, so its default is not validated against the schema.
    if (isRoot && name === 'metadata' && isObject(properties[name]!.default)) continue;
    yield* validateSubschemaDefaults(
      properties[name]!,
      `${path}.properties[${name}]`,
      options,
      'nested',
      errors,
    );
  }
}

function* validateDefault(
  value: JsonValue,
  schema: JSONSchemaProps,
  path: string,
  options: SchemaValidationOptions,
  isApiObject: boolean,
): CooperativeTask<FieldError[]> {
  const errors: FieldError[] = [];
  if (hasUnknownFields(value, schema, options, isApiObject)) {
    errors.push(invalid(path, formatInvalidValue(value), 'must not have unknown fields'));
  }
  if (isApiObject && isObject(value)) addErrors(errors, validateEmbeddedResource(value, path));
  addErrors(errors, yield* validateValue(value, schema, path, options, options.budget));
  if (errors.length > 0) return errors;
  return options.rules.defaultErrors(schema).map((error) => ({ ...error, field: path + error.field }));
}

function validateEmbeddedResource(value: JsonObject, path: string): FieldError[] {
  return ['apiVersion', 'kind']
    .filter((field) => !value[field])
    .map((field) => required(`${path}.${field}`, 'must not be empty'));
}

/** Whether a value has fields that pruning would remove. */
function hasUnknownFields(
  value: JsonValue,
  schema: JSONSchemaProps,
  options: SchemaValidationOptions,
  isApiObject: boolean,
): boolean {
  const { items, properties = {}, additionalProperties } = schema;
  const { preserveUnknownFields } = extensionsOf(schema, options);
  const hasUnknownInside = (innerValue: JsonValue, subschema: JSONSchemaProps) =>
    hasUnknownFields(innerValue, subschema, options, extensionsOf(subschema, options).embeddedResource);
  if (Array.isArray(value)) {
    return !!items && !Array.isArray(items) && value.some((item) => hasUnknownInside(item, items));
  }
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, member]) => {
    if (isApiObject && (key === 'apiVersion' || key === 'kind' || key === 'metadata')) return false;
    if (Object.hasOwn(properties, key)) return hasUnknownInside(member, properties[key]!);
    if (typeof additionalProperties === 'object') return hasUnknownInside(member, additionalProperties);
    if (typeof additionalProperties === 'boolean') return hasFields(member);
    return !preserveUnknownFields;
  });
}

/** Whether a value is or contains an object with fields. */
function hasFields(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(hasFields);
  return isObject(value) && Object.keys(value).length > 0;
}

/** Defaults must not set apiVersion, kind or the name. */
function rejectObjectFieldDefaults({ properties = {} }: JSONSchemaProps, path: string): FieldError[] {
  return ['apiVersion', 'kind', 'metadata'].flatMap((field) =>
    Object.hasOwn(properties, field)
      ? defaultPathsIn(properties[field]!, `${path}.properties[${field}]`).map((defaultPath) =>
          forbidden(defaultPath, `must not be set in top-level ${field}`),
        )
      : [],
  );
}

/** The paths of the defaults in a schema and its properties. */
function defaultPathsIn(schema: JSONSchemaProps, path: string): string[] {
  const ownPaths = schema.default === undefined ? [] : [`${path}.default`];
  const { properties = {} } = schema;
  const innerPaths = Object.keys(properties)
    .sort()
    .flatMap((name) => defaultPathsIn(properties[name]!, `${path}.properties[${name}]`));
  return [...ownPaths, ...innerPaths];
}
