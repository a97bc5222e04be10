// Custom resource validation: a value against its JSON schema, with the error messages of kube-apiserver. Long validations
// yield to the event loop (CooperativeTask).
import type { CooperativeTask } from '../../base/cooperative-yield.ts';
import { isObject, type JsonObject, type JsonValue, RawNumber } from '../../codec/json/json-value.ts';
import { stringifyJson } from '../../codec/json/stringify.ts';
import {
  type FieldError,
  invalid,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import { hasFormat } from '../../schema/formats/formats.ts';
import { allowedValuesOf } from './allowed-values.ts';
import { Comparison } from './comparison.ts';
import { type CostBudget, hasMaxErrors } from './cost-budget.ts';
import { extensionsOf, type JSONSchemaProps } from './json-schema.ts';
import { numberProblems } from './number-limits.ts';
import type { ValueValidationOptions } from './patterns.ts';

/**
 * Validates a value against its schema; `path` is its field path. Ratcheting: a value that equals its `old` value
 * passes.
 */
export function* validateValue(
  value: JsonValue,
  schema: JSONSchemaProps,
  path: string,
  options: ValueValidationOptions,
  budget: CostBudget,
  old?: JsonValue,
): CooperativeTask<FieldError[]> {
  const errors: FieldError[] = [];
  yield* new ValueValidator(path, options, budget).check({ value, schema, name: '', old }, errors);
  return errors;
}

/** A value to validate. `name` is its path within the validated object, as messages print it: '' for the object itself. */
interface ValueCheck {
  readonly value: JsonValue;
  readonly schema: JSONSchemaProps;
  readonly name: string;
  readonly old: JsonValue | undefined;
}

class ValueValidator {
  readonly #path: string;
  readonly #options: ValueValidationOptions;
  readonly #budget: CostBudget;
  readonly #comparison = new Comparison();

  constructor(path: string, options: ValueValidationOptions, budget: CostBudget) {
    this.#path = path;
    this.#options = options;
    this.#budget = budget;
  }

  /** Adds the errors of a value and everything in it to `errors`. */
  *check(checked: ValueCheck, errors: FieldError[]): CooperativeTask<void> {
    const { value, schema, name, old } = checked;
    if (hasMaxErrors(errors)) return;
    const yielding = this.#budget.spend();
    if (yielding) yield yielding;
    if (value === null && schema.nullable) return;
    if (old !== undefined && this.#comparison.isSame(value, old)) return;
    const actualType = jsonType(value);
    if (!this.#matchesType(actualType, schema)) {
      errors.push(this.#typeError(value, actualType, schema, name));
      if (isNumber(value) && schema.type === 'integer') this.#checkNumber(value, schema, name, errors);
      this.#checkEnum(value, schema, name, errors);
      return;
    }
    if (hasCombinations(schema)) yield* this.#checkCombinations(checked, errors);
    if (typeof value === 'string') yield* this.#checkString(value, schema, name, errors);
    else if (isNumber(value)) this.#checkNumber(value, schema, name, errors);
    else if (Array.isArray(value)) yield* this.#checkList(value, checked, errors);
    this.#checkEnum(value, schema, name, errors);
    if (isObject(value)) yield* this.#checkObject(value, checked, errors);
  }

  #fieldPath(name: string): string {
    const relativePath = name.replace(/^\./, '');
    return relativePath === '' || this.#path === ''
      ? this.#path + relativePath
      : `${this.#path}.${relativePath}`;
  }

  #matchesType(
    actualType: string,
    { type, [this.#options.intOrString]: intOrString }: JSONSchemaProps,
  ): boolean {
    if (intOrString) return actualType === 'integer' || actualType === 'string';
    if (!type) return true;
    return actualType === type || (type === 'number' && actualType === 'integer');
  }

  /** The error for a value of another type. For a formatted string, it names the format instead of the type. */
  #typeError(value: JsonValue, actualType: string, schema: JSONSchemaProps, name: string): FieldError {
    const { type, format, [this.#options.intOrString]: intOrString } = schema;
    const isFormatted = type === 'string' && !!format && (isNumber(value) || typeof value === 'boolean');
    const actual = isFormatted ? (goTypes[actualType] ?? actualType) : actualType;
    let expected = intOrString ? 'integer,string' : type;
    if (isFormatted) expected = format;
    return typeInvalid(
      this.#fieldPath(name),
      actual,
      `${name} in body must be of type ${expected}: ${quote(actual)}`,
    );
  }

  /** Checks anyOf, oneOf, allOf and not. */
  *#checkCombinations(checked: ValueCheck, errors: FieldError[]): CooperativeTask<void> {
    const { value, schema, name } = checked;
    // Reported for the whole object, whose empty path is printed as <nil>.
    const combinationError = (requirement: string) =>
      invalid(this.#path || '<nil>', '', `${quote(name)} must ${requirement}`);
    const { anyOf = [], oneOf = [], allOf = [], not } = schema;
    if (anyOf.length > 0) {
      const { validCount, closestErrors } = yield* this.#countValid(checked, anyOf);
      if (validCount === 0)
        errors.push(combinationError('validate at least one schema (anyOf)'), ...closestErrors);
    }
    if (oneOf.length > 0) {
      const { validCount, closestErrors } = yield* this.#countValid(checked, oneOf);
      const rule = 'validate one and only one schema (oneOf). Found';
      if (validCount === 0) errors.push(combinationError(`${rule} none valid`), ...closestErrors);
      if (validCount > 1) errors.push(combinationError(`${rule} ${validCount} valid alternatives`));
    }
    let failedCount = 0;
    for (const innerSchema of allOf) {
      const errorCount = errors.length;
      yield* this.check({ ...checked, schema: innerSchema }, errors);
      if (errors.length > errorCount) failedCount++;
    }
    if (failedCount > 0) {
      errors.push(
        combinationError(
          `validate all the schemas (allOf)${failedCount === allOf.length ? '. None validated' : ''}`,
        ),
      );
    }
    if (not) {
      const schemaErrors: FieldError[] = [];
      yield* this.check({ value, schema: not, name, old: undefined }, schemaErrors);
      if (schemaErrors.length === 0) errors.push(combinationError('not validate the schema (not)'));
    }
  }

  /** The number of schemas that the value satisfies, and the errors of the one with the fewest. */
  *#countValid(
    checked: ValueCheck,
    schemas: readonly JSONSchemaProps[],
  ): CooperativeTask<{ validCount: number; closestErrors: readonly FieldError[] }> {
    let validCount = 0;
    let closestErrors: readonly FieldError[] | undefined;
    for (const schema of schemas) {
      const schemaErrors: FieldError[] = [];
      yield* this.check({ ...checked, schema }, schemaErrors);
      if (schemaErrors.length === 0) validCount++;
      if (closestErrors === undefined || schemaErrors.length < closestErrors.length)
        closestErrors = schemaErrors;
    }
    return { validCount, closestErrors: closestErrors ?? [] };
  }

  *#checkString(
    value: string,
    schema: JSONSchemaProps,
    name: string,
    errors: FieldError[],
  ): CooperativeTask<void> {
    const { maxLength, minLength, pattern, format } = schema;
    if (maxLength !== undefined && isLonger(value, maxLength)) {
      errors.push(tooLong(this.#fieldPath(name), Number(maxLength)));
    } else if (minLength !== undefined && !isLonger(value, minLength - 1)) {
      errors.push(
        invalid(this.#fieldPath(name), value, `${name} in body should be at least ${minLength} chars long`),
      );
    } else if (pattern && !(yield* this.#options.patterns.matches(pattern, value, this.#budget))) {
      errors.push(invalid(this.#fieldPath(name), value, `${name} in body should match '${pattern}'`));
    }
    if (format && !hasFormat(value, format)) {
      const detail = `${name} in body must be of type ${format}: ${quote(value)}`;
      errors.push(typeInvalid(this.#fieldPath(name), value, detail));
    }
  }

  #checkNumber(value: number | RawNumber, schema: JSONSchemaProps, name: string, errors: FieldError[]): void {
    for (const { badValue, detail } of numberProblems(value, schema, this.#options.exactNumbers)) {
      errors.push(invalid(this.#fieldPath(name), badValue, detail(name)));
    }
  }

  *#checkList(
    value: readonly JsonValue[],
    { schema, name, old }: ValueCheck,
    errors: FieldError[],
  ): CooperativeTask<void> {
    const { items, minItems, maxItems } = schema;
    if (items && !Array.isArray(items)) {
      const findOldItem = this.#oldItemFinder(old, schema);
      for (let i = 0; i < value.length && !hasMaxErrors(errors); i++) {
        const item = value[i]!;
        yield* this.check(
          { value: item, schema: items, name: `${name}[${i}]`, old: findOldItem?.(item) },
          errors,
        );
      }
    }
    if (minItems !== undefined && value.length < minItems) {
      const detail = `${name} in body should have at least ${minItems} items`;
      errors.push(invalid(this.#fieldPath(name), value.length, detail));
    }
    if (maxItems !== undefined && value.length > maxItems) {
      errors.push(tooMany(this.#fieldPath(name), value.length, Number(maxItems)));
    }
  }

  /** Returns a function that finds the old value of a list item by its keys; undefined if items cannot be correlated. */
  #oldItemFinder(
    old: JsonValue | undefined,
    schema: JSONSchemaProps,
  ): ((item: JsonValue) => JsonValue | undefined) | undefined {
    const { listType, listMapKeys } = extensionsOf(schema, this.#options);
    if (!Array.isArray(old) || listType !== 'map') return undefined;
    const keyOf = (item: JsonValue) =>
      stringifyJson(
        listMapKeys.map((key) => (isObject(item) && Object.hasOwn(item, key) ? item[key] : null)),
      );
    const byKey = new Map(old.map((item) => [keyOf(item), item]));
    return (item) => byKey.get(keyOf(item));
  }

  #checkEnum(value: JsonValue, schema: JSONSchemaProps, name: string, errors: FieldError[]): void {
    if (!schema.enum || schema.enum.length === 0) return;
    const allowed = allowedValuesOf(schema);
    if (!allowed.has(value)) errors.push(allowed.notSupportedError(this.#fieldPath(name), value));
  }

  *#checkObject(
    value: JsonObject,
    { schema, name, old }: ValueCheck,
    errors: FieldError[],
  ): CooperativeTask<void> {
    const { properties = {}, additionalProperties, minProperties, maxProperties } = schema;
    const keys = Object.keys(value);
    if (minProperties !== undefined && keys.length < minProperties) {
      const detail = `${name} in body should have at least ${minProperties} properties`;
      errors.push(invalid(this.#fieldPath(name), keys.length, detail));
    }
    if (maxProperties !== undefined && keys.length > maxProperties) {
      errors.push(tooMany(this.#fieldPath(name), keys.length, Number(maxProperties)));
    }
    for (const key of keys) {
      if (hasMaxErrors(errors)) return;
      const oldMember = isObject(old) && Object.hasOwn(old, key) ? old[key] : undefined;
      if (Object.hasOwn(properties, key)) {
        const memberName = name === '' ? key : `${name}.${key}`;
        yield* this.check(
          { value: value[key]!, schema: properties[key]!, name: memberName, old: oldMember },
          errors,
        );
      } else if (typeof additionalProperties === 'object') {
        const inner = {
          value: value[key]!,
          schema: additionalProperties,
          name: `${name}.${key}`,
          old: oldMember,
        };
        yield* this.check(inner, errors);
      } else if (additionalProperties === false) {
        errors.push(invalid(this.#fieldPath(name), key, `${name}.${key} in body is a forbidden property`));
      }
    }
    for (const key of schema.required ?? []) {
      const yielding = this.#budget.spend();
      if (yielding) yield yielding;
      if (hasMaxErrors(errors)) return;
      if (!Object.hasOwn(value, key))
        errors.push(required(this.#fieldPath(name === '' ? key : `${name}.${key}`)));
    }
  }
}

const hasCombinations = ({ anyOf, oneOf, allOf, not }: JSONSchemaProps) => !!(anyOf || oneOf || allOf || not);

/** Whether a text has more than `characters` code points. A code point may take two UTF-16 units. */
function isLonger(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  if (text.length > 2 * characters) return true;
  let count = 0;
  for (const _ of text) count++;
  return count > characters;
}

/** The names of JSON types in Go, which errors about formats contain. */
const goTypes: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64', boolean: 'bool' };

function isNumber(value: JsonValue): value is number | RawNumber {
  return typeof value === 'number' || value instanceof RawNumber;
}

function jsonType(value: JsonValue): string {
  if (value === null) return 'null';
  if (value instanceof RawNumber) return 'integer';
  if (typeof value === 'number') {
    return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? 'integer' : 'number';
  }
  return Array.isArray(value) ? 'array' : typeof value;
}
