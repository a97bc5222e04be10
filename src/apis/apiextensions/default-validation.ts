// CustomResourceDefinition validation: defaults in structural schemas.
import type { Work } from '../../base/cooperative-yield.ts';
import { isObject, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';
import { type FieldError, forbidden, invalid, required } from '../../errors/field-error.ts';
import { formatInvalidValue } from '../../errors/format-invalid-value.ts';
import { isEnough } from './cost-budget.ts';
import { extensionsOf, type JSONSchemaProps } from './json-schema.ts';
import type { SchemaValidationOptions } from './patterns.ts';
import { validateValue } from './value-validation.ts';

/** Validates the defaults in a structural schema: they must be valid and pruned. */
export function* validateDefaults(
  schema: JSONSchemaProps,
  path: string,
  names: SchemaValidationOptions,
): Work<FieldError[]> {
  const errors: FieldError[] = [];
  yield* checkPart(schema, path, names, true, errors);
  return [...errors, ...refuseForObjectFields(schema, path)];
}

function* checkPart(
  schema: JSONSchemaProps,
  path: string,
  names: SchemaValidationOptions,
  isRoot: boolean,
  errors: FieldError[],
): Work<void> {
  if (isEnough(errors)) return;
  const turn = names.effort.spend();
  if (turn) yield turn;
  // Like the reference it leaves out those in maps.
  const { items, properties = {} } = schema;
  if (schema.default !== undefined && schema.default !== null) {
    errors.push(...(yield* checkDefault(schema.default, schema, `${path}.default`, names, isRoot)));
  }
  if (items && !Array.isArray(items)) yield* checkPart(items, `${path}.items`, names, false, errors);
  for (const name of Object.keys(properties).sort()) {
    // What metadata consists of is known without a schema.
    if (isRoot && name === 'metadata' && isObject(properties[name]!.default)) continue;
    yield* checkPart(properties[name]!, `${path}.properties[${name}]`, names, false, errors);
  }
}

function* checkDefault(
  value: JsonValue,
  schema: JSONSchemaProps,
  path: string,
  names: SchemaValidationOptions,
  isRoot: boolean,
): Work<FieldError[]> {
  const errors: FieldError[] = [];
  const isResource = isRoot || extensionsOf(schema, names).embeddedResource;
  if (hasUnknown(value, schema, names, isResource)) {
    errors.push(invalid(path, formatInvalidValue(value), 'must not have unknown fields'));
  }
  if (isResource && isObject(value)) errors.push(...checkResource(value, path));
  errors.push(...(yield* validateValue(value, schema, path, names, names.effort)));
  if (errors.length > 0) return errors;
  return names.rules.brokenByDefault(schema).map((error) => ({ ...error, field: path + error.field }));
}

function checkResource(value: JsonObject, path: string): FieldError[] {
  return ['apiVersion', 'kind']
    .filter((field) => !value[field])
    .map((field) => required(`${path}.${field}`, 'must not be empty'));
}

/** Whether a value has fields that the schema neither knows nor wants to keep. */
function hasUnknown(
  value: JsonValue,
  schema: JSONSchemaProps,
  names: SchemaValidationOptions,
  isResource: boolean,
): boolean {
  const { items, properties = {}, additionalProperties } = schema;
  const { preserveUnknownFields } = extensionsOf(schema, names);
  const inner = (each: JsonValue, part: JSONSchemaProps) =>
    hasUnknown(each, part, names, extensionsOf(part, names).embeddedResource);
  if (Array.isArray(value)) {
    return !!items && !Array.isArray(items) && value.some((item) => inner(item, items));
  }
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, member]) => {
    if (isResource && (key === 'apiVersion' || key === 'kind' || key === 'metadata')) return false;
    if (Object.hasOwn(properties, key)) return inner(member, properties[key]!);
    if (typeof additionalProperties === 'object') return inner(member, additionalProperties);
    if (typeof additionalProperties === 'boolean') return hasFields(member);
    return !preserveUnknownFields;
  });
}

/** Whether there is an object with fields in a value of which no field is specified. */
function hasFields(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(hasFields);
  return isObject(value) && Object.keys(value).length > 0;
}

/** Defaults must not set apiVersion, kind or the name. */
function refuseForObjectFields({ properties = {} }: JSONSchemaProps, path: string): FieldError[] {
  return ['apiVersion', 'kind', 'metadata'].flatMap((field) =>
    Object.hasOwn(properties, field)
      ? defaultsIn(properties[field]!, `${path}.properties[${field}]`).map((where) =>
          forbidden(where, `must not be set in top-level ${field}`),
        )
      : [],
  );
}

function defaultsIn(schema: JSONSchemaProps, path: string): string[] {
  const own = schema.default === undefined ? [] : [`${path}.default`];
  const { properties = {} } = schema;
  const inner = Object.keys(properties)
    .sort()
    .flatMap((name) => defaultsIn(properties[name]!, `${path}.properties[${name}]`));
  return [...own, ...inner];
}
