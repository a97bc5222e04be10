import { isObject, type JsonObject, type JsonValue, RawNumber } from '../../codec/json/json-value.ts';
import { stringifyJson } from '../../codec/json/stringify.ts';
import {
  type FieldError,
  invalid,
  notSupported,
  required,
  ShownAs,
  tooLong,
  tooMany,
  typeInvalid,
} from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import { isSameValue } from '../../patch/apply/values.ts';
import { hasFormat } from './formats.ts';
import { extensionsOf, type JSONSchemaProps } from './json-schema.ts';
import type { ValueTerms } from './patterns.ts';

/**
 * What is wrong with a value, by its schema. `path` is where the value is, `name` what messages call it: the path within
 * the object that is being checked, '' for the object itself. Parts that are as in `old` are let pass.
 */
export function validateValue(
  value: JsonValue,
  schema: JSONSchemaProps,
  path: string,
  names: ValueTerms,
  old?: JsonValue,
): FieldError[] {
  return new ValueRules(path, names).check(value, schema, '', old);
}

class ValueRules {
  readonly #path: string;
  readonly #names: ValueTerms;

  constructor(path: string, names: ValueTerms) {
    this.#path = path;
    this.#names = names;
  }

  check(value: JsonValue, schema: JSONSchemaProps, name: string, old?: JsonValue): FieldError[] {
    if (value === null && schema.nullable) return [];
    if (old !== undefined && isSameValue(value, old)) return [];
    const found = jsonType(value);
    if (!this.#isOfType(found, schema)) {
      return [
        this.#otherType(value, found, schema, name),
        ...(isNumber(value) && schema.type === 'integer' ? this.#checkNumber(value, schema, name) : []),
        ...this.#checkEnum(value, schema, name),
      ];
    }
    return [
      ...this.#checkCombinations(value, schema, name, old),
      ...(typeof value === 'string' ? this.#checkText(value, schema, name) : []),
      ...(isNumber(value) ? this.#checkNumber(value, schema, name) : []),
      ...(Array.isArray(value) ? this.#checkList(value, schema, name, old) : []),
      ...this.#checkEnum(value, schema, name),
      ...(isObject(value) ? this.#checkObject(value, schema, name, old) : []),
    ];
  }

  #at(name: string): string {
    const below = name.replace(/^\./, '');
    return below === '' || this.#path === '' ? this.#path + below : `${this.#path}.${below}`;
  }

  #isOfType(found: string, { type, [this.#names.intOrString]: intOrString }: JSONSchemaProps): boolean {
    if (intOrString) return found === 'integer' || found === 'string';
    if (!type) return true;
    return found === type || (type === 'number' && found === 'integer');
  }

  /** A format says more than the type that goes with it. */
  #otherType(value: JsonValue, found: string, schema: JSONSchemaProps, name: string): FieldError {
    const { type, format, [this.#names.intOrString]: intOrString } = schema;
    const isFormatted = type === 'string' && !!format && (isNumber(value) || typeof value === 'boolean');
    const shown = isFormatted ? (goTypes[found] ?? found) : found;
    const wanted = isFormatted ? format : intOrString ? 'integer,string' : type;
    return typeInvalid(this.#at(name), shown, `${name} in body must be of type ${wanted}: ${quote(shown)}`);
  }

  #checkCombinations(
    value: JsonValue,
    schema: JSONSchemaProps,
    name: string,
    old: JsonValue | undefined,
  ): FieldError[] {
    const errors: FieldError[] = [];
    const whole = (what: string) => invalid(this.#path || '<nil>', '', `${quote(name)} must ${what}`);
    const tried = (schemas: readonly JSONSchemaProps[]) =>
      schemas.map((each) => this.check(value, each, name, old));
    const { anyOf = [], oneOf = [], allOf = [], not } = schema;
    if (anyOf.length > 0) {
      const outcomes = tried(anyOf);
      if (outcomes.every((outcome) => outcome.length > 0)) {
        errors.push(whole('validate at least one schema (anyOf)'), ...fewest(outcomes));
      }
    }
    if (oneOf.length > 0) {
      const outcomes = tried(oneOf);
      const valid = outcomes.filter((outcome) => outcome.length === 0).length;
      const rule = 'validate one and only one schema (oneOf). Found';
      if (valid === 0) errors.push(whole(`${rule} none valid`), ...fewest(outcomes));
      if (valid > 1) errors.push(whole(`${rule} ${valid} valid alternatives`));
    }
    if (allOf.length > 0) {
      const outcomes = tried(allOf);
      const valid = outcomes.filter((outcome) => outcome.length === 0).length;
      errors.push(...outcomes.flat());
      if (valid < outcomes.length) {
        errors.push(whole(`validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`));
      }
    }
    if (not && this.check(value, not, name).length === 0) errors.push(whole('not validate the schema (not)'));
    return errors;
  }

  #checkText(value: string, schema: JSONSchemaProps, name: string): FieldError[] {
    const { maxLength, minLength, pattern, format } = schema;
    const at = this.#at(name);
    const errors: FieldError[] = [];
    const length = [...value].length;
    if (maxLength !== undefined && length > maxLength) errors.push(tooLong(at, Number(maxLength)));
    else if (minLength !== undefined && length < minLength) {
      errors.push(invalid(at, value, `${name} in body should be at least ${minLength} chars long`));
    } else if (pattern && !this.#names.patterns.matches(pattern, value)) {
      errors.push(invalid(at, value, `${name} in body should match '${pattern}'`));
    }
    if (format && !hasFormat(value, format)) {
      errors.push(typeInvalid(at, value, `${name} in body must be of type ${format}: ${quote(value)}`));
    }
    return errors;
  }

  #checkNumber(value: number | RawNumber, schema: JSONSchemaProps, name: string): FieldError[] {
    const { multipleOf, maximum, minimum } = schema;
    const number = Number(value);
    const wrong = (what: string) => invalid(this.#at(name), number, `${name} in body should be ${what}`);
    const errors: FieldError[] = [];
    if (multipleOf && !Number.isInteger(number / multipleOf))
      errors.push(wrong(`a multiple of ${multipleOf}`));
    if (maximum !== undefined && (number > maximum || (schema.exclusiveMaximum && number === maximum))) {
      errors.push(wrong(`less than ${schema.exclusiveMaximum ? '' : 'or equal to '}${maximum}`));
    }
    if (minimum !== undefined && (number < minimum || (schema.exclusiveMinimum && number === minimum))) {
      errors.push(wrong(`greater than ${schema.exclusiveMinimum ? '' : 'or equal to '}${minimum}`));
    }
    return errors;
  }

  #checkList(
    value: readonly JsonValue[],
    schema: JSONSchemaProps,
    name: string,
    old: JsonValue | undefined,
  ): FieldError[] {
    const { items, minItems, maxItems } = schema;
    const errors: FieldError[] = [];
    if (items && !Array.isArray(items)) {
      const before = this.#itemsBefore(old, schema);
      errors.push(...value.flatMap((item, i) => this.check(item, items, `${name}[${i}]`, before?.(item))));
    }
    if (minItems !== undefined && value.length < minItems) {
      const why = `${name} in body should have at least ${minItems} items`;
      errors.push(invalid(this.#at(name), value.length, why));
    }
    if (maxItems !== undefined && value.length > maxItems) {
      errors.push(tooMany(this.#at(name), value.length, Number(maxItems)));
    }
    return errors;
  }

  /** What an item of a list was before, where items can be told apart. */
  #itemsBefore(
    old: JsonValue | undefined,
    schema: JSONSchemaProps,
  ): ((item: JsonValue) => JsonValue | undefined) | undefined {
    const { listType, listMapKeys } = extensionsOf(schema, this.#names);
    if (!Array.isArray(old) || listType !== 'map') return undefined;
    const keyOf = (item: JsonValue) =>
      stringifyJson(
        listMapKeys.map((key) => (isObject(item) && Object.hasOwn(item, key) ? item[key] : null)),
      );
    const byKey = new Map(old.map((item) => [keyOf(item), item]));
    return (item) => byKey.get(keyOf(item));
  }

  #checkEnum(value: JsonValue, { enum: values = [] }: JSONSchemaProps, name: string): FieldError[] {
    if (values.length === 0 || values.some((allowed) => isSame(value, allowed))) return [];
    return [notSupported(this.#at(name), shownValue(value), values.map(plainText))];
  }

  #checkObject(
    value: JsonObject,
    schema: JSONSchemaProps,
    name: string,
    old: JsonValue | undefined,
  ): FieldError[] {
    const { properties = {}, additionalProperties, minProperties, maxProperties } = schema;
    const keys = Object.keys(value);
    const errors: FieldError[] = [];
    if (minProperties !== undefined && keys.length < minProperties) {
      const why = `${name} in body should have at least ${minProperties} properties`;
      errors.push(invalid(this.#at(name), keys.length, why));
    }
    if (maxProperties !== undefined && keys.length > maxProperties) {
      errors.push(tooMany(this.#at(name), keys.length, Number(maxProperties)));
    }
    for (const key of keys) {
      const before = isObject(old) && Object.hasOwn(old, key) ? old[key] : undefined;
      if (Object.hasOwn(properties, key)) {
        const at = name === '' ? key : `${name}.${key}`;
        errors.push(...this.check(value[key]!, properties[key]!, at, before));
      } else if (typeof additionalProperties === 'object') {
        errors.push(...this.check(value[key]!, additionalProperties, `${name}.${key}`, before));
      }
    }
    for (const key of schema.required ?? []) {
      if (!Object.hasOwn(value, key)) errors.push(required(this.#at(name === '' ? key : `${name}.${key}`)));
    }
    return errors;
  }
}

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

function plainText(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

/** The alternative that came nearest. */
function fewest(outcomes: readonly FieldError[][]): FieldError[] {
  return outcomes.reduce((best, outcome) => (outcome.length < best.length ? outcome : best));
}

/** Values are canonical JSON, so equal texts are equal values; a fraction counts as the whole number before it. */
function isSame(value: JsonValue, allowed: JsonValue): boolean {
  if (typeof value === 'number' && typeof allowed === 'number' && Number.isInteger(allowed)) {
    return Math.trunc(value) === allowed;
  }
  return stringifyJson(value) === stringifyJson(allowed);
}

/** A value as messages show it: objects and lists in the reference's own notation. */
export function shownValue(value: JsonValue): unknown {
  return typeof value === 'object' && value !== null && !(value instanceof RawNumber)
    ? new ShownAs(notation(value))
    : value;
}

function notation(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(notation).join(', ')}}`;
  if (!isObject(value)) return String(value);
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${quote(key)}:${notation(value[key]!)}`);
  return `map[string]interface {}{${entries.join(', ')}}`;
}
