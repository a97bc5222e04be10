// CustomResourceDefinition validation: the rules of structural schemas. A structural schema specifies the type of every
// value itself; the schemas under allOf, anyOf, oneOf and not (here: value validations) only restrict values.
import type { CooperativeTask } from '../../base/cooperative-yield.ts';
import { type FieldError, fieldErrorBody, forbidden, invalid, required } from '../../errors/field-error.ts';
import { hasMaxErrors } from './cost-budget.ts';
import { extensionsOf, type JSONSchemaProps } from './json-schema.ts';
import type { SchemaValidationOptions } from './patterns.ts';

/**
 * Whether a schema can be structural: it has no unsupported keyword. A schema with one is rejected for that keyword, and
 * the structural rules are not checked.
 */
export function canBeStructural(schema: JSONSchemaProps, options: SchemaValidationOptions): boolean {
  const unsupported =
    schema.id ||
    schema.$schema ||
    schema.$ref !== undefined ||
    schema.definitions ||
    schema.dependencies ||
    schema.patternProperties ||
    schema.additionalItems !== undefined ||
    Array.isArray(schema.items) ||
    schema[options.preserveUnknownFields] === false;
  if (unsupported) return false;
  return subschemasOf(schema).every((inner) => canBeStructural(inner, options));
}

function subschemasOf(schema: JSONSchemaProps): JSONSchemaProps[] {
  const { items, additionalProperties, not } = schema;
  return [
    ...(items && !Array.isArray(items) ? [items] : []),
    ...Object.values(schema.properties ?? {}),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...junctors(schema).map(([, inner]) => inner),
    ...(not ? [not] : []),
  ];
}

/** The violations of the structural schema rules, sorted by message. */
export function* validateStructural(
  schema: JSONSchemaProps,
  path: string,
  options: SchemaValidationOptions,
): CooperativeTask<FieldError[]> {
  const errors: FieldError[] = [];
  const validator = new StructuralValidator(options, errors);
  yield* validator.checkSubschema(schema, path, 'root');
  for (const [inner, value] of valueValidations(schema, path)) {
    yield* validator.checkComplete(value, inner, schema, path);
  }
  return errors
    .map((error) => ({ error, text: `${error.field}: ${fieldErrorBody(error)}` }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ error }) => error);
}

type SchemaPosition = 'root' | 'field' | 'item';

const missingTypeDetails: Readonly<Record<SchemaPosition, string>> = {
  root: 'must not be empty at the root',
  field: 'must not be empty for specified object fields',
  item: 'must not be empty for specified array items',
};

class StructuralValidator {
  readonly #options: SchemaValidationOptions;
  readonly #errors: FieldError[];

  constructor(options: SchemaValidationOptions, errors: FieldError[]) {
    this.#options = options;
    this.#errors = errors;
  }

  *checkSubschema(schema: JSONSchemaProps, path: string, position: SchemaPosition): CooperativeTask<void> {
    if (hasMaxErrors(this.#errors)) return;
    const yielding = this.#options.budget.spend();
    if (yielding) yield yielding;
    const { items, properties = {}, additionalProperties } = schema;
    if (items && !Array.isArray(items)) yield* this.checkSubschema(items, `${path}.items`, 'item');
    else if (schema.type === 'array') this.#errors.push(required(`${path}.items`, 'must be specified'));
    for (const [name, property] of Object.entries(properties)) {
      yield* this.checkSubschema(property, `${path}.properties[${name}]`, 'field');
    }
    if (typeof additionalProperties === 'object') {
      yield* this.checkSubschema(additionalProperties, `${path}.additionalProperties`, 'field');
    }
    yield* this.#checkPattern(schema, path);
    this.#checkType(schema, path, position);
    this.#checkExtensions(schema, path);
    if (additionalProperties !== undefined && position === 'root') {
      this.#errors.push(forbidden(`${path}.additionalProperties`, 'must not be used at the root'));
    }
    const { embeddedResource, intOrString } = extensionsOf(schema, this.#options);
    const isApiObject = position === 'root' || embeddedResource;
    if (isApiObject) this.#checkObjectFields(schema, path, position === 'root');
    const pathsWithType = intOrString ? intOrStringPaths(schema, path) : [];
    for (const [inner, value] of valueValidations(schema, path)) {
      yield* this.#checkValueValidation(value, inner, position === 'root', pathsWithType);
    }
  }

  *#checkPattern({ pattern }: JSONSchemaProps, path: string): CooperativeTask<void> {
    if (!pattern) return;
    const problem = yield* this.#options.patterns.problemOf(pattern, this.#options.budget);
    if (problem === undefined) return;
    const detail = `must be a valid regular expression, but isn't: ${problem}`;
    this.#errors.push(invalid(`${path}.pattern`, pattern, detail));
  }

  #checkType(schema: JSONSchemaProps, path: string, position: SchemaPosition): void {
    const { type = '' } = schema;
    const { embeddedResource, intOrString, preserveUnknownFields } = extensionsOf(schema, this.#options);
    const fieldPath = `${path}.type`;
    if (embeddedResource && type !== 'object') {
      const detail = `must be object if ${this.#options.embeddedResource} is true`;
      this.#errors.push(type === '' ? required(fieldPath, detail) : invalid(fieldPath, type, detail));
    } else if (type === '') {
      if (!intOrString && !preserveUnknownFields)
        this.#errors.push(required(fieldPath, missingTypeDetails[position]));
    } else if (position === 'root' && type !== 'object') {
      this.#errors.push(invalid(fieldPath, type, 'must be object at the root'));
    }
  }

  #checkExtensions(schema: JSONSchemaProps, path: string): void {
    const options = this.#options;
    const { embeddedResource, intOrString, preserveUnknownFields } = extensionsOf(schema, options);
    if (embeddedResource && schema.additionalProperties !== undefined) {
      const detail = `must not be used if ${options.embeddedResource} is set`;
      this.#errors.push(forbidden(`${path}.additionalProperties`, detail));
    }
    if (embeddedResource && !preserveUnknownFields && Object.keys(schema.properties ?? {}).length === 0) {
      const detail = `must not be empty if ${options.embeddedResource} is true without ${options.preserveUnknownFields}`;
      this.#errors.push(required(`${path}.properties`, detail));
    }
    if (!intOrString) return;
    const detail = `must be false if ${options.intOrString} is true`;
    if (embeddedResource) this.#errors.push(invalid(`${path}.${options.embeddedResource}`, true, detail));
    if (preserveUnknownFields)
      this.#errors.push(invalid(`${path}.${options.preserveUnknownFields}`, true, detail));
  }

  /** apiVersion, kind and metadata must have the types that every API object has. */
  #checkObjectFields({ properties = {} }: JSONSchemaProps, path: string, isRoot: boolean): void {
    for (const [name, type] of Object.entries(objectFields)) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!property) continue;
      const fieldPath = `${path}.properties[${name}]`;
      if (property.type !== type) {
        this.#errors.push(invalid(`${fieldPath}.type`, property.type ?? '', `must be ${type}`));
      }
      if (name === 'metadata' && isRoot && specifiesMoreThanNames(property)) {
        const detail =
          'must not specify anything other than name and generateName, but metadata is implicitly specified';
        this.#errors.push(forbidden(fieldPath, detail));
      }
    }
  }

  /** A value validation must not specify structure. `pathsWithType`: the schemas that may have a type nevertheless. */
  *#checkValueValidation(
    value: JSONSchemaProps,
    path: string,
    isRoot: boolean,
    pathsWithType: readonly string[],
  ): CooperativeTask<void> {
    if (hasMaxErrors(this.#errors)) return;
    const options = this.#options;
    const yielding = options.budget.spend();
    if (yielding) yield yielding;
    const { properties = {}, items } = value;
    const extensions = extensionsOf(value, options);
    const forbiddenFields: [field: string, isSet: boolean, requiredValue: string][] = [
      ['additionalProperties', value.additionalProperties !== undefined, 'undefined'],
      ['default', value.default !== undefined, 'undefined'],
      ['description', !!value.description, 'empty'],
      ['nullable', !!value.nullable, 'false'],
      ['title', !!value.title, 'empty'],
      ['type', !!value.type && !pathsWithType.includes(path), 'empty'],
      [options.embeddedResource, extensions.embeddedResource, 'false'],
      [options.intOrString, extensions.intOrString, 'false'],
      [options.listMapKeys, extensions.listMapKeys.length > 0, 'empty'],
      [options.listType, extensions.listType !== undefined, 'undefined'],
      [options.mapType, extensions.mapType !== undefined, 'undefined'],
      [options.preserveUnknownFields, !!extensions.preserveUnknownFields, 'false'],
      [options.validations, extensions.validations.length > 0, 'empty'],
    ];
    for (const [field, isSet, requiredValue] of forbiddenFields) {
      if (isSet)
        this.#errors.push(forbidden(`${path}.${field}`, `must be ${requiredValue} to be structural`));
    }
    yield* this.#checkPattern(value, path);
    if (isRoot && Object.hasOwn(properties, 'metadata')) {
      this.#errors.push(
        forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context'),
      );
    }
    if (items && !Array.isArray(items))
      yield* this.#checkValueValidation(items, `${path}.items`, false, pathsWithType);
    for (const [name, property] of Object.entries(properties)) {
      yield* this.#checkValueValidation(property, `${path}.properties[${name}]`, false, pathsWithType);
    }
    for (const [inner, nested] of valueValidations(value, path)) {
      yield* this.#checkValueValidation(nested, inner, isRoot, pathsWithType);
    }
  }

  /** Every property and item in a value validation must be specified in the schema itself. */
  *checkComplete(
    value: JSONSchemaProps,
    valuePath: string,
    schema: JSONSchemaProps,
    path: string,
  ): CooperativeTask<void> {
    if (hasMaxErrors(this.#errors)) return;
    const yielding = this.#options.budget.spend();
    if (yielding) yield yielding;
    for (const [name, inner] of Object.entries(value.properties ?? {})) {
      const { properties = {} } = schema;
      const specified = Object.hasOwn(properties, name) ? properties[name] : undefined;
      yield* this.#requireSpecified(`properties[${name}]`, inner, valuePath, specified, path);
    }
    if (value.items && !Array.isArray(value.items)) {
      const specified = Array.isArray(schema.items) ? undefined : schema.items;
      yield* this.#requireSpecified('items', value.items, valuePath, specified, path);
    }
    for (const [inner, nested] of valueValidations(value, valuePath)) {
      yield* this.checkComplete(nested, inner, schema, path);
    }
  }

  *#requireSpecified(
    name: string,
    inner: JSONSchemaProps,
    valuePath: string,
    specified: JSONSchemaProps | undefined,
    path: string,
  ): CooperativeTask<void> {
    const fieldPath = `${valuePath}.${name}`;
    if (specified) yield* this.checkComplete(inner, fieldPath, specified, `${path}.${name}`);
    else this.#errors.push(required(`${path}.${name}`, `because it is defined in ${fieldPath}`));
  }
}

const objectFields = { apiVersion: 'string', kind: 'string', metadata: 'object' } as const;

/** Whether a schema of metadata specifies more than its type, name and generateName. */
function specifiesMoreThanNames({ type: _, default: __, properties, ...rest }: JSONSchemaProps): boolean {
  const otherNames = Object.keys(properties ?? {}).filter(
    (name) => name !== 'name' && name !== 'generateName',
  );
  return otherNames.length > 0 || Object.values(rest).some((value) => value !== undefined && value !== false);
}

/**
 * With int-or-string, OpenAPI tools may repeat the two types in `anyOf`, or in `anyOf` of the first `allOf`. Returns the
 * paths of these schemas, which may therefore have a type.
 */
function intOrStringPaths({ anyOf, allOf }: JSONSchemaProps, path: string): string[] {
  if (isIntegerOrString(anyOf)) return [`${path}.anyOf[0]`, `${path}.anyOf[1]`];
  if (!isIntegerOrString(allOf?.[0]?.anyOf)) return [];
  return [`${path}.allOf[0].anyOf[0]`, `${path}.allOf[0].anyOf[1]`];
}

function isIntegerOrString(anyOf: readonly JSONSchemaProps[] | undefined): boolean {
  return anyOf?.length === 2 && isOnlyType(anyOf[0]!, 'integer') && isOnlyType(anyOf[1]!, 'string');
}

function isOnlyType({ type, ...rest }: JSONSchemaProps, expected: string): boolean {
  return type === expected && Object.values(rest).every((value) => value === undefined);
}

/** The schemas under allOf, anyOf and oneOf, with their location such as `allOf[0]`. */
function junctors(schema: JSONSchemaProps): [location: string, inner: JSONSchemaProps][] {
  return (['allOf', 'anyOf', 'oneOf'] as const).flatMap((junctor) =>
    (schema[junctor] ?? []).map((inner, i): [string, JSONSchemaProps] => [`${junctor}[${i}]`, inner]),
  );
}

/** The value validations: the schemas under allOf, anyOf, oneOf and not, with their paths. */
function valueValidations(schema: JSONSchemaProps, path: string): [path: string, value: JSONSchemaProps][] {
  const validations = junctors(schema).map(([location, inner]): [string, JSONSchemaProps] => [
    `${path}.${location}`,
    inner,
  ]);
  return schema.not ? [...validations, [`${path}.not`, schema.not]] : validations;
}
