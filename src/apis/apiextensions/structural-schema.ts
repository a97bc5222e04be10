// CustomResourceDefinition validation: the rules of structural schemas.
import type { Work } from '../../base/cooperative-yield.ts';
import { type FieldError, fieldErrorBody, forbidden, invalid, required } from '../../errors/field-error.ts';
import { isEnough } from './cost-budget.ts';
import { extensionsOf, type JSONSchemaProps } from './json-schema.ts';
import type { SchemaValidationOptions } from './patterns.ts';

/**
 * Whether a schema has the form that a structural schema has. One that has not is refused for other reasons, and its
 * structure cannot be spoken of.
 */
export function hasStructure(schema: JSONSchemaProps, names: SchemaValidationOptions): boolean {
  const unsupported =
    schema.id ||
    schema.$schema ||
    schema.$ref !== undefined ||
    schema.definitions ||
    schema.dependencies ||
    schema.patternProperties ||
    schema.additionalItems !== undefined ||
    Array.isArray(schema.items) ||
    schema[names.preserveUnknownFields] === false;
  if (unsupported) return false;
  return subschemasOf(schema).every((inner) => hasStructure(inner, names));
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

/** The violations of structural schema rules, in the order of the messages. */
export function* validateStructural(
  schema: JSONSchemaProps,
  path: string,
  names: SchemaValidationOptions,
): Work<FieldError[]> {
  const errors: FieldError[] = [];
  const rules = new StructureRules(names, errors);
  yield* rules.checkPart(schema, path, 'root');
  for (const [inner, value] of valueValidations(schema, path)) {
    yield* rules.checkComplete(value, inner, schema, path);
  }
  return errors
    .map((error) => ({ error, text: `${error.field}: ${fieldErrorBody(error)}` }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ error }) => error);
}

type Place = 'root' | 'field' | 'item';

const untyped: Readonly<Record<Place, string>> = {
  root: 'must not be empty at the root',
  field: 'must not be empty for specified object fields',
  item: 'must not be empty for specified array items',
};

class StructureRules {
  readonly #names: SchemaValidationOptions;
  readonly #errors: FieldError[];

  constructor(names: SchemaValidationOptions, errors: FieldError[]) {
    this.#names = names;
    this.#errors = errors;
  }

  *checkPart(schema: JSONSchemaProps, path: string, place: Place): Work<void> {
    if (isEnough(this.#errors)) return;
    const turn = this.#names.effort.spend();
    if (turn) yield turn;
    const { items, properties = {}, additionalProperties } = schema;
    if (items && !Array.isArray(items)) yield* this.checkPart(items, `${path}.items`, 'item');
    else if (schema.type === 'array') this.#errors.push(required(`${path}.items`, 'must be specified'));
    for (const [name, property] of Object.entries(properties)) {
      yield* this.checkPart(property, `${path}.properties[${name}]`, 'field');
    }
    if (typeof additionalProperties === 'object') {
      yield* this.checkPart(additionalProperties, `${path}.additionalProperties`, 'field');
    }
    yield* this.#checkPattern(schema, path);
    this.#checkType(schema, path, place);
    this.#checkExtensions(schema, path);
    if (additionalProperties !== undefined && place === 'root') {
      this.#errors.push(forbidden(`${path}.additionalProperties`, 'must not be used at the root'));
    }
    const isObject = place === 'root' || extensionsOf(schema, this.#names).embeddedResource;
    if (isObject) this.#checkObjectFields(schema, path, place === 'root');
    const { intOrString } = extensionsOf(schema, this.#names);
    const typed = intOrString ? eitherType(schema, path) : [];
    for (const [inner, value] of valueValidations(schema, path)) {
      yield* this.#checkValue(value, inner, place === 'root', typed);
    }
  }

  *#checkPattern({ pattern }: JSONSchemaProps, path: string): Work<void> {
    if (!pattern) return;
    const problem = yield* this.#names.patterns.problemOf(pattern, this.#names.effort);
    if (problem === undefined) return;
    const detail = `must be a valid regular expression, but isn't: ${problem}`;
    this.#errors.push(invalid(`${path}.pattern`, pattern, detail));
  }

  #checkType(schema: JSONSchemaProps, path: string, place: Place): void {
    const { type = '' } = schema;
    const { embeddedResource, intOrString, preserveUnknownFields } = extensionsOf(schema, this.#names);
    const fieldPath = `${path}.type`;
    if (embeddedResource && type !== 'object') {
      const detail = `must be object if ${this.#names.embeddedResource} is true`;
      this.#errors.push(type === '' ? required(fieldPath, detail) : invalid(fieldPath, type, detail));
    } else if (type === '') {
      if (!intOrString && !preserveUnknownFields) this.#errors.push(required(fieldPath, untyped[place]));
    } else if (place === 'root' && type !== 'object') {
      this.#errors.push(invalid(fieldPath, type, 'must be object at the root'));
    }
  }

  #checkExtensions(schema: JSONSchemaProps, path: string): void {
    const names = this.#names;
    const { embeddedResource, intOrString, preserveUnknownFields } = extensionsOf(schema, names);
    if (embeddedResource && schema.additionalProperties !== undefined) {
      const detail = `must not be used if ${names.embeddedResource} is set`;
      this.#errors.push(forbidden(`${path}.additionalProperties`, detail));
    }
    if (embeddedResource && !preserveUnknownFields && Object.keys(schema.properties ?? {}).length === 0) {
      const detail = `must not be empty if ${names.embeddedResource} is true without ${names.preserveUnknownFields}`;
      this.#errors.push(required(`${path}.properties`, detail));
    }
    if (!intOrString) return;
    const detail = `must be false if ${names.intOrString} is true`;
    if (embeddedResource) this.#errors.push(invalid(`${path}.${names.embeddedResource}`, true, detail));
    if (preserveUnknownFields)
      this.#errors.push(invalid(`${path}.${names.preserveUnknownFields}`, true, detail));
  }

  /** apiVersion, kind and metadata are what they are in every object of the API. */
  #checkObjectFields({ properties = {} }: JSONSchemaProps, path: string, isRoot: boolean): void {
    for (const [name, type] of Object.entries(objectFields)) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!property) continue;
      const fieldPath = `${path}.properties[${name}]`;
      if (property.type !== type) {
        this.#errors.push(invalid(`${fieldPath}.type`, property.type ?? '', `must be ${type}`));
      }
      if (name === 'metadata' && isRoot && saysMore(property)) {
        const detail =
          'must not specify anything other than name and generateName, but metadata is implicitly specified';
        this.#errors.push(forbidden(fieldPath, detail));
      }
    }
  }

  /** Schemas under allOf, anyOf, oneOf and not restrict values, but do not specify their structure. */
  *#checkValue(value: JSONSchemaProps, path: string, isRoot: boolean, typed: readonly string[]): Work<void> {
    if (isEnough(this.#errors)) return;
    const names = this.#names;
    const turn = names.effort.spend();
    if (turn) yield turn;
    const { properties = {}, items } = value;
    const extensions = extensionsOf(value, names);
    const present: [field: string, isSet: boolean, what: string][] = [
      ['additionalProperties', value.additionalProperties !== undefined, 'undefined'],
      ['default', value.default !== undefined, 'undefined'],
      ['description', !!value.description, 'empty'],
      ['nullable', !!value.nullable, 'false'],
      ['title', !!value.title, 'empty'],
      ['type', !!value.type && !typed.includes(path), 'empty'],
      [names.embeddedResource, extensions.embeddedResource, 'false'],
      [names.intOrString, extensions.intOrString, 'false'],
      [names.listMapKeys, extensions.listMapKeys.length > 0, 'empty'],
      [names.listType, extensions.listType !== undefined, 'undefined'],
      [names.mapType, extensions.mapType !== undefined, 'undefined'],
      [names.preserveUnknownFields, !!extensions.preserveUnknownFields, 'false'],
      [names.validations, extensions.validations.length > 0, 'empty'],
    ];
    for (const [field, isSet, what] of present) {
      if (isSet) this.#errors.push(forbidden(`${path}.${field}`, `must be ${what} to be structural`));
    }
    yield* this.#checkPattern(value, path);
    if (isRoot && Object.hasOwn(properties, 'metadata')) {
      this.#errors.push(
        forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context'),
      );
    }
    if (items && !Array.isArray(items)) yield* this.#checkValue(items, `${path}.items`, false, typed);
    for (const [name, property] of Object.entries(properties)) {
      yield* this.#checkValue(property, `${path}.properties[${name}]`, false, typed);
    }
    for (const [inner, nested] of valueValidations(value, path)) {
      yield* this.#checkValue(nested, inner, isRoot, typed);
    }
  }

  /** A property in a restriction must be specified in the schema itself. */
  *checkComplete(
    value: JSONSchemaProps,
    valuePath: string,
    schema: JSONSchemaProps,
    path: string,
  ): Work<void> {
    if (isEnough(this.#errors)) return;
    const turn = this.#names.effort.spend();
    if (turn) yield turn;
    for (const [name, inner] of Object.entries(value.properties ?? {})) {
      const { properties = {} } = schema;
      const found = Object.hasOwn(properties, name) ? properties[name] : undefined;
      yield* this.#demand(`properties[${name}]`, inner, valuePath, found, path);
    }
    if (value.items && !Array.isArray(value.items)) {
      const found = Array.isArray(schema.items) ? undefined : schema.items;
      yield* this.#demand('items', value.items, valuePath, found, path);
    }
    for (const [inner, nested] of valueValidations(value, valuePath)) {
      yield* this.checkComplete(nested, inner, schema, path);
    }
  }

  *#demand(
    name: string,
    inner: JSONSchemaProps,
    valuePath: string,
    found: JSONSchemaProps | undefined,
    path: string,
  ): Work<void> {
    const fieldPath = `${valuePath}.${name}`;
    if (found) yield* this.checkComplete(inner, fieldPath, found, `${path}.${name}`);
    else this.#errors.push(required(`${path}.${name}`, `because it is defined in ${fieldPath}`));
  }
}

const objectFields = { apiVersion: 'string', kind: 'string', metadata: 'object' } as const;

/** Whether a schema of metadata says anything beside its type, name and generateName. */
function saysMore({ type: _, default: __, properties, ...rest }: JSONSchemaProps): boolean {
  const others = Object.keys(properties ?? {}).filter((name) => name !== 'name' && name !== 'generateName');
  return others.length > 0 || Object.values(rest).some((value) => value !== undefined && value !== false);
}

/**
 * "A whole number or a text" may also be said in the way of other tools: as `anyOf` of just the two types, or as that
 * within the first of `allOf`. Those are the places where a type may stand.
 */
function eitherType({ anyOf, allOf }: JSONSchemaProps, path: string): string[] {
  const place = isIntegerOrString(anyOf) ? path : isIntegerOrString(allOf?.[0]?.anyOf) && `${path}.allOf[0]`;
  return place ? [`${place}.anyOf[0]`, `${place}.anyOf[1]`] : [];
}

function isIntegerOrString(anyOf: readonly JSONSchemaProps[] | undefined): boolean {
  return anyOf?.length === 2 && isOnlyType(anyOf[0]!, 'integer') && isOnlyType(anyOf[1]!, 'string');
}

function isOnlyType({ type, ...rest }: JSONSchemaProps, expected: string): boolean {
  return type === expected && Object.values(rest).every((value) => value === undefined);
}

function junctors(schema: JSONSchemaProps): [place: string, inner: JSONSchemaProps][] {
  return (['allOf', 'anyOf', 'oneOf'] as const).flatMap((junctor) =>
    (schema[junctor] ?? []).map((inner, i): [string, JSONSchemaProps] => [`${junctor}[${i}]`, inner]),
  );
}

/** The schemas under allOf, anyOf, oneOf and not, with their paths. */
function valueValidations(schema: JSONSchemaProps, path: string): [path: string, value: JSONSchemaProps][] {
  const found = junctors(schema).map(([place, inner]): [string, JSONSchemaProps] => [
    `${path}.${place}`,
    inner,
  ]);
  return schema.not ? [...found, [`${path}.not`, schema.not]] : found;
}
