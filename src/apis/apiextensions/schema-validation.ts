// CustomResourceDefinition validation: openAPIV3Schema. The structural rules come first, then every subschema, then the
// x-validations rules.
import type { CooperativeTask } from '../../base/cooperative-yield.ts';
import {
  addErrors,
  type FieldError,
  forbidden,
  goStringSlice,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import { hasMaxErrors } from './cost-budget.ts';
import { validateDefaults } from './default-validation.ts';
import {
  extensionsOf,
  type JSONSchemaProps,
  type SchemaExtensions,
  type ValidationRule,
} from './json-schema.ts';
import type { SchemaValidationOptions } from './patterns.ts';
import { rulePathExists } from './rule-path.ts';
import { type RuleLocation, RuleValidator, rootLocation } from './rule-validation.ts';
import { canBeStructural, validateStructural } from './structural-schema.ts';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const listTypes = ['atomic', 'set', 'map'];
const mapTypes = ['atomic', 'granular'];
/** The values of ValidationRule.reason. */
const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** `hasStatus`: the version has the status subresource. */
export function* validateSchema(
  schema: JSONSchemaProps,
  path: string,
  options: SchemaValidationOptions,
  hasStatus: boolean,
): CooperativeTask<FieldError[]> {
  const errors: FieldError[] = hasStatus ? rejectRootConstraints(schema, path, options) : [];
  if (schema.nullable) errors.push(forbidden(`${path}.nullable`, 'nullable cannot be true at the root'));
  const isStructural = canBeStructural(schema, options);
  let rules: RuleValidator | undefined;
  if (isStructural) {
    const structural = yield* validateStructural(schema, path, options);
    const structuralErrors =
      structural.length > 0 ? structural : yield* validateDefaults(schema, path, options);
    addErrors(errors, structuralErrors);
    if (structuralErrors.length === 0) rules = new RuleValidator(options.rules, options);
  }
  yield* new SchemaValidator(options, isStructural, errors, rules).check(schema, path, rootLocation);
  if (!isStructural && errors.length === 0) {
    errors.push(invalid(path, '', "OpenAPIV3Schema 'schema' is not supported"));
  }
  rules?.checkTotal(path);
  return rules ? [...errors, ...rules.errors] : errors;
}

/** The Go names, which the message lists, and the JSON names. */
const allowedRootFields = [
  ['Description', 'description'],
  ['Type', 'type'],
  ['Format', 'format'],
  ['Title', 'title'],
  ['Maximum', 'maximum'],
  ['ExclusiveMaximum', 'exclusiveMaximum'],
  ['Minimum', 'minimum'],
  ['ExclusiveMinimum', 'exclusiveMinimum'],
  ['MaxLength', 'maxLength'],
  ['MinLength', 'minLength'],
  ['Pattern', 'pattern'],
  ['MaxItems', 'maxItems'],
  ['MinItems', 'minItems'],
  ['UniqueItems', 'uniqueItems'],
  ['MultipleOf', 'multipleOf'],
  ['Required', 'required'],
  ['Items', 'items'],
  ['Properties', 'properties'],
  ['ExternalDocs', 'externalDocs'],
  ['Example', 'example'],
] as const;

/** With the status subresource, status is validated by its own schema alone: constraints at the root would be lost. */
function rejectRootConstraints(
  schema: JSONSchemaProps,
  path: string,
  options: SchemaValidationOptions,
): FieldError[] {
  const allowedFields = new Set<string>([
    ...allowedRootFields.map(([, field]) => field),
    options.preserveUnknownFields,
    options.validations,
  ]);
  const hasOtherConstraint = Object.entries(schema).some(
    ([field, value]) =>
      value !== undefined && value !== false && !allowedFields.has(field) && field !== 'nullable',
  );
  if (!hasOtherConstraint) return [];
  const allowed = [...allowedRootFields.map(([name]) => name), 'XPreserveUnknownFields', 'XValidations'];
  const detail = `only [${allowed.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalid(path, schema, detail)];
}

class SchemaValidator {
  readonly #options: SchemaValidationOptions;
  readonly #isStructural: boolean;
  readonly #errors: FieldError[];
  /** Absent if the schema is invalid, so that its rules cannot be validated. */
  readonly #rules: RuleValidator | undefined;

  constructor(
    options: SchemaValidationOptions,
    isStructural: boolean,
    errors: FieldError[],
    rules: RuleValidator | undefined,
  ) {
    this.#options = options;
    this.#isStructural = isStructural;
    this.#errors = errors;
    this.#rules = rules;
  }

  /** Checks a schema and its subschemas. Its rules are compiled only if it has no other error. */
  *check(schema: JSONSchemaProps, path: string, location: RuleLocation): CooperativeTask<void> {
    if (hasMaxErrors(this.#errors)) return;
    const yielding = this.#options.budget.spend();
    if (yielding) yield yielding;
    const errorCount = this.#errors.length;
    this.#rejectUnsupported(schema, path);
    yield* this.#checkSubschemas(schema, path, this.#rules?.within(location, schema, path) ?? location);
    const extensions = extensionsOf(schema, this.#options);
    if (extensions.preserveUnknownFields === false) {
      const fieldPath = `${path}.${this.#options.preserveUnknownFields}`;
      this.#errors.push(invalid(fieldPath, false, 'must be true or undefined'));
    }
    this.#checkMapType(schema, extensions, path);
    this.#checkListType(schema, extensions, path);
    this.#checkListElements(schema, extensions, path);
    for (const [i, rule] of extensions.validations.entries()) {
      this.#checkRule(rule, schema, `${path}.${this.#options.validations}[${i}]`);
    }
    if (this.#errors.length === errorCount) this.#rules?.check(schema, location, path);
  }

  #rejectUnsupported(schema: JSONSchemaProps, path: string): void {
    const { type } = schema;
    if (type && !types.includes(type)) this.#errors.push(notSupported(`${path}.type`, type, types));
    const unsupported = {
      id: schema.id,
      additionalItems: schema.additionalItems,
      patternProperties: schema.patternProperties,
      definitions: schema.definitions,
      dependencies: schema.dependencies,
      $ref: schema.$ref,
    };
    for (const [field, value] of Object.entries(unsupported)) {
      if (value !== undefined) this.#errors.push(forbidden(`${path}.${field}`, `${field} is not supported`));
    }
    if (Array.isArray(schema.items)) {
      this.#errors.push(forbidden(`${path}.items`, 'items must be a schema object and not an array'));
    }
    if (schema.uniqueItems) {
      const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
      this.#errors.push(forbidden(`${path}.uniqueItems`, detail));
    }
  }

  *#checkSubschemas(schema: JSONSchemaProps, path: string, location: RuleLocation): CooperativeTask<void> {
    const { additionalProperties, properties = {}, not, definitions = {}, items, dependencies = {} } = schema;
    if (additionalProperties !== undefined) {
      if (additionalProperties !== true && Object.keys(properties).length > 0) {
        const detail = 'additionalProperties and properties are mutual exclusive';
        this.#errors.push(forbidden(`${path}.additionalProperties`, detail));
      }
      if (typeof additionalProperties === 'object')
        yield* this.check(additionalProperties, `${path}.additionalProperties`, location);
    }
    yield* this.#checkNamed(properties, `${path}.properties`, location);
    if (not) yield* this.check(not, `${path}.not`, location);
    for (const junctor of ['allOf', 'oneOf', 'anyOf'] as const) {
      for (const [i, inner] of (schema[junctor] ?? []).entries())
        yield* this.check(inner, `${path}.${junctor}[${i}]`, location);
    }
    yield* this.#checkNamed(definitions, `${path}.definitions`, location);
    if (Array.isArray(items)) {
      for (const [i, inner] of items.entries()) yield* this.check(inner, `${path}.items[${i}]`, location);
    } else if (items) {
      yield* this.check(items, `${path}.items`, location);
    }
    for (const [name, inner] of Object.entries(dependencies)) {
      if (!Array.isArray(inner)) yield* this.#checkNamed({ [name]: inner }, `${path}.dependencies`, location);
    }
  }

  /** Checks schemas by name, in the order of their names. */
  *#checkNamed(
    schemas: Readonly<Record<string, JSONSchemaProps>>,
    path: string,
    location: RuleLocation,
  ): CooperativeTask<void> {
    for (const name of Object.keys(schemas).sort()) {
      const inner = schemas[name];
      if (inner) yield* this.check(inner, `${path}[${name}]`, location);
    }
  }

  /** An extension (`feature`) is only allowed on values of the expected type. */
  #requireType({ type }: JSONSchemaProps, path: string, expected: string, feature: string): void {
    if (type === expected) return;
    const detail = `must be ${expected} if ${feature} is specified`;
    this.#errors.push(type ? invalid(`${path}.type`, type, detail) : required(`${path}.type`, detail));
  }

  #checkMapType(schema: JSONSchemaProps, { mapType }: SchemaExtensions, path: string): void {
    if (mapType === undefined) return;
    const name = this.#options.mapType;
    this.#requireType(schema, path, 'object', name);
    if (!mapTypes.includes(mapType)) this.#errors.push(notSupported(`${path}.${name}`, mapType, mapTypes));
  }

  #checkListType(schema: JSONSchemaProps, { listType, listMapKeys }: SchemaExtensions, path: string): void {
    const { listType: typeName, listMapKeys: keysName } = this.#options;
    if (listType !== undefined) {
      this.#requireType(schema, path, 'array', typeName);
      if (!listTypes.includes(listType))
        this.#errors.push(notSupported(`${path}.${typeName}`, listType, listTypes));
    }
    if (listMapKeys.length > 0 && listType !== 'map') {
      const fieldPath = `${path}.${typeName}`;
      const detail = `must be map if ${keysName} is non-empty`;
      this.#errors.push(
        listType === undefined ? required(fieldPath, detail) : invalid(fieldPath, listType, detail),
      );
    }
    if (listType === 'set') this.#checkSet(schema, path);
    if (listType !== 'map') return;
    if (listMapKeys.length === 0) {
      this.#errors.push(required(`${path}.${keysName}`, `must not be empty if ${typeName} is map`));
    }
    this.#checkMapKeys(schema, listMapKeys, path);
  }

  /** Items of a set are compared as a whole. */
  #checkSet({ items }: JSONSchemaProps, path: string): void {
    if (!items || Array.isArray(items)) return;
    const { listType, mapType } = this.#options;
    const inner = extensionsOf(items, this.#options);
    const detail = `must be atomic as item of a list with ${listType}=set`;
    if (items.type === 'object' && inner.mapType !== 'atomic') {
      this.#errors.push(invalid(`${path}.items.${mapType}`, 'null', detail));
    }
    if (items.type === 'array' && inner.listType !== undefined && inner.listType !== 'atomic') {
      this.#errors.push(invalid(`${path}.items.${listType}`, inner.listType, detail));
    }
  }

  #checkMapKeys({ items }: JSONSchemaProps, keys: readonly string[], path: string): void {
    const { listType, listMapKeys } = this.#options;
    if (!items || Array.isArray(items)) {
      this.#errors.push(required(`${path}.items`, `must have a schema if ${listType} is map`));
      return;
    }
    if (items.type !== 'object') {
      const detail = `must be object if parent array's ${listType} is map`;
      this.#errors.push(invalid(`${path}.items.type`, items.type ?? '', detail));
      return;
    }
    const seen = new Set<string>();
    for (const key of keys) {
      const property = propertyOf(items, key);
      const keysError = (detail: string) => invalid(`${path}.${listMapKeys}`, goStringSlice(keys), detail);
      if (!property) this.#errors.push(keysError('entries must all be names of item properties'));
      else if (property.type === 'array' || property.type === 'object') {
        const detail = `must be a scalar type if parent array's ${listType} is map`;
        this.#errors.push(invalid(`${path}.items.properties[${key}].type`, property.type, detail));
      }
      if (seen.has(key)) this.#errors.push(keysError('must not contain duplicate entries'));
      seen.add(key);
    }
  }

  /** Items of sets and maps cannot be null, and the keys of a map must be required or have a default. */
  #checkListElements(
    { items }: JSONSchemaProps,
    { listType, listMapKeys }: SchemaExtensions,
    path: string,
  ): void {
    if (!items || Array.isArray(items) || (listType !== 'set' && listType !== 'map')) return;
    if (items.nullable) {
      const detail = `cannot be nullable when ${this.#options.listType} is ${listType}`;
      this.#errors.push(forbidden(`${path}.items.nullable`, detail));
    }
    if (listType === 'set') return;
    const subject = `this property is in ${this.#options.listMapKeys}, so it`;
    for (const key of listMapKeys) {
      const property = propertyOf(items, key);
      if (!property) continue;
      const fieldPath = `${path}.items.properties[${key}]`;
      if (property.default === undefined && !items.required?.includes(key)) {
        this.#errors.push(
          required(`${fieldPath}.default`, `${subject} must have a default or be a required property`),
        );
      }
      if (property.nullable)
        this.#errors.push(forbidden(`${fieldPath}.nullable`, `${subject} cannot be nullable`));
    }
  }

  #checkRule(rule: ValidationRule, schema: JSONSchemaProps, path: string): void {
    const { message = '', messageExpression = '', reason, fieldPath = '' } = rule;
    const addError = (field: string, value: string, detail: string) =>
      this.#errors.push(invalid(`${path}.${field}`, value, `${field} ${detail}`));
    if (rule.rule.trim() === '') this.#errors.push(required(`${path}.rule`, 'rule is not specified'));
    else if (message !== '' && message.trim() === '')
      addError('message', message, 'must be non-empty if specified');
    else if (/[\r\n]/.test(message.trim())) addError('message', message, 'must not contain line breaks');
    else if (message === '' && /[\r\n]/.test(rule.rule.trim())) {
      const detail = 'message must be specified if rule contains line breaks';
      this.#errors.push(required(`${path}.message`, detail));
    }
    if (messageExpression !== '' && messageExpression.trim() === '') {
      this.#errors.push(
        required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'),
      );
    }
    if (reason !== undefined && !reasons.includes(reason)) {
      this.#errors.push(notSupported(`${path}.reason`, reason, reasons));
    }
    if (fieldPath === '') return;
    if (fieldPath.trim() === '') addError('fieldPath', fieldPath, 'must be non-empty if specified');
    if (/[\r\n]/.test(fieldPath)) addError('fieldPath', fieldPath, 'must not contain line breaks');
    if (this.#isStructural && !rulePathExists(fieldPath, schema)) {
      addError('fieldPath', fieldPath, 'must be a valid path');
    }
  }
}

function propertyOf({ properties = {} }: JSONSchemaProps, name: string): JSONSchemaProps | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}
