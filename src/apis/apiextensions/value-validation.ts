// Custom resource validation: a value against its JSON schema.
import type { Work } from '../../base/cooperative-yield.ts';
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
import { allowedBy } from './allowed-values.ts';
import { Comparison } from './comparison.ts';
import { type CostBudget, isEnough } from './cost-budget.ts';
import { extensionsOf, type JSONSchemaProps } from './json-schema.ts';
import { numberProblems } from './number-limits.ts';
import type { ValueValidationOptions } from './patterns.ts';

/**
 * What is wrong with a value, by its schema. `path` is where the value is, `name` what messages call it: the path within
 * the object that is being checked, '' for the object itself. Parts that are as in `old` are let pass.
 */
export function* validateValue(
  value: JsonValue,
  schema: JSONSchemaProps,
  path: string,
  names: ValueValidationOptions,
  effort: CostBudget,
  old?: JsonValue,
): Work<FieldError[]> {
  const errors: FieldError[] = [];
  yield* new ValueRules(path, names, effort).check({ value, schema, name: '', old }, errors);
  return errors;
}

/** A value within the one that is checked, and what it was before. */
interface Checked {
  readonly value: JsonValue;
  readonly schema: JSONSchemaProps;
  readonly name: string;
  readonly old: JsonValue | undefined;
}

class ValueRules {
  readonly #path: string;
  readonly #names: ValueValidationOptions;
  readonly #effort: CostBudget;
  readonly #comparison = new Comparison();

  constructor(path: string, names: ValueValidationOptions, effort: CostBudget) {
    this.#path = path;
    this.#names = names;
    this.#effort = effort;
  }

  *check(checked: Checked, errors: FieldError[]): Work<void> {
    const { value, schema, name, old } = checked;
    if (isEnough(errors)) return;
    const turn = this.#effort.spend();
    if (turn) yield turn;
    if (value === null && schema.nullable) return;
    if (old !== undefined && this.#comparison.isSame(value, old)) return;
    const found = jsonType(value);
    if (!this.#isOfType(found, schema)) {
      errors.push(this.#otherType(value, found, schema, name));
      if (isNumber(value) && schema.type === 'integer') this.#checkNumber(value, schema, name, errors);
      this.#checkEnum(value, schema, name, errors);
      return;
    }
    if (hasCombinations(schema)) yield* this.#checkCombinations(checked, errors);
    if (typeof value === 'string') yield* this.#checkText(value, schema, name, errors);
    else if (isNumber(value)) this.#checkNumber(value, schema, name, errors);
    else if (Array.isArray(value)) yield* this.#checkList(value, checked, errors);
    this.#checkEnum(value, schema, name, errors);
    if (isObject(value)) yield* this.#checkObject(value, checked, errors);
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

  *#checkCombinations(checked: Checked, errors: FieldError[]): Work<void> {
    const { value, schema, name } = checked;
    const whole = (what: string) => invalid(this.#path || '<nil>', '', `${quote(name)} must ${what}`);
    const { anyOf = [], oneOf = [], allOf = [], not } = schema;
    if (anyOf.length > 0) {
      const { valid, nearest } = yield* this.#try(checked, anyOf);
      if (valid === 0) errors.push(whole('validate at least one schema (anyOf)'), ...nearest);
    }
    if (oneOf.length > 0) {
      const { valid, nearest } = yield* this.#try(checked, oneOf);
      const rule = 'validate one and only one schema (oneOf). Found';
      if (valid === 0) errors.push(whole(`${rule} none valid`), ...nearest);
      if (valid > 1) errors.push(whole(`${rule} ${valid} valid alternatives`));
    }
    let broken = 0;
    for (const each of allOf) {
      const before = errors.length;
      yield* this.check({ ...checked, schema: each }, errors);
      if (errors.length > before) broken++;
    }
    if (broken > 0) {
      errors.push(
        whole(`validate all the schemas (allOf)${broken === allOf.length ? '. None validated' : ''}`),
      );
    }
    if (not) {
      const outcome: FieldError[] = [];
      yield* this.check({ value, schema: not, name, old: undefined }, outcome);
      if (outcome.length === 0) errors.push(whole('not validate the schema (not)'));
    }
  }

  /** The number of schemas that the value matches, and the errors of the closest one. */
  *#try(
    checked: Checked,
    schemas: readonly JSONSchemaProps[],
  ): Work<{ valid: number; nearest: readonly FieldError[] }> {
    let valid = 0;
    let nearest: readonly FieldError[] | undefined;
    for (const schema of schemas) {
      const outcome: FieldError[] = [];
      yield* this.check({ ...checked, schema }, outcome);
      if (outcome.length === 0) valid++;
      if (nearest === undefined || outcome.length < nearest.length) nearest = outcome;
    }
    return { valid, nearest: nearest ?? [] };
  }

  *#checkText(value: string, schema: JSONSchemaProps, name: string, errors: FieldError[]): Work<void> {
    const { maxLength, minLength, pattern, format } = schema;
    if (maxLength !== undefined && isLonger(value, maxLength)) {
      errors.push(tooLong(this.#at(name), Number(maxLength)));
    } else if (minLength !== undefined && !isLonger(value, minLength - 1)) {
      errors.push(
        invalid(this.#at(name), value, `${name} in body should be at least ${minLength} chars long`),
      );
    } else if (pattern && !(yield* this.#names.patterns.matches(pattern, value, this.#effort))) {
      errors.push(invalid(this.#at(name), value, `${name} in body should match '${pattern}'`));
    }
    if (format && !hasFormat(value, format)) {
      const detail = `${name} in body must be of type ${format}: ${quote(value)}`;
      errors.push(typeInvalid(this.#at(name), value, detail));
    }
  }

  #checkNumber(value: number | RawNumber, schema: JSONSchemaProps, name: string, errors: FieldError[]): void {
    for (const { shown, why: detail } of numberProblems(value, schema, this.#names.exactNumbers)) {
      errors.push(invalid(this.#at(name), shown, detail(name)));
    }
  }

  *#checkList(value: readonly JsonValue[], { schema, name, old }: Checked, errors: FieldError[]): Work<void> {
    const { items, minItems, maxItems } = schema;
    if (items && !Array.isArray(items)) {
      const before = this.#itemsBefore(old, schema);
      for (let i = 0; i < value.length && !isEnough(errors); i++) {
        const item = value[i]!;
        yield* this.check({ value: item, schema: items, name: `${name}[${i}]`, old: before?.(item) }, errors);
      }
    }
    if (minItems !== undefined && value.length < minItems) {
      const detail = `${name} in body should have at least ${minItems} items`;
      errors.push(invalid(this.#at(name), value.length, detail));
    }
    if (maxItems !== undefined && value.length > maxItems) {
      errors.push(tooMany(this.#at(name), value.length, Number(maxItems)));
    }
  }

  /** The old value of a list item, where items can be correlated. */
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

  #checkEnum(value: JsonValue, schema: JSONSchemaProps, name: string, errors: FieldError[]): void {
    if (!schema.enum || schema.enum.length === 0) return;
    const allowed = allowedBy(schema);
    if (!allowed.has(value)) errors.push(allowed.refusal(this.#at(name), value));
  }

  *#checkObject(value: JsonObject, { schema, name, old }: Checked, errors: FieldError[]): Work<void> {
    const { properties = {}, additionalProperties, minProperties, maxProperties } = schema;
    const keys = Object.keys(value);
    if (minProperties !== undefined && keys.length < minProperties) {
      const detail = `${name} in body should have at least ${minProperties} properties`;
      errors.push(invalid(this.#at(name), keys.length, detail));
    }
    if (maxProperties !== undefined && keys.length > maxProperties) {
      errors.push(tooMany(this.#at(name), keys.length, Number(maxProperties)));
    }
    for (const key of keys) {
      if (isEnough(errors)) return;
      const before = isObject(old) && Object.hasOwn(old, key) ? old[key] : undefined;
      if (Object.hasOwn(properties, key)) {
        const at = name === '' ? key : `${name}.${key}`;
        yield* this.check({ value: value[key]!, schema: properties[key]!, name: at, old: before }, errors);
      } else if (typeof additionalProperties === 'object') {
        const inner = {
          value: value[key]!,
          schema: additionalProperties,
          name: `${name}.${key}`,
          old: before,
        };
        yield* this.check(inner, errors);
      } else if (additionalProperties === false) {
        errors.push(invalid(this.#at(name), key, `${name}.${key} in body is a forbidden property`));
      }
    }
    for (const key of schema.required ?? []) {
      const turn = this.#effort.spend();
      if (turn) yield turn;
      if (isEnough(errors)) return;
      if (!Object.hasOwn(value, key)) errors.push(required(this.#at(name === '' ? key : `${name}.${key}`)));
    }
  }
}

const hasCombinations = ({ anyOf, oneOf, allOf, not }: JSONSchemaProps) => !!(anyOf || oneOf || allOf || not);

/** Whether a text has more characters than so many. One may take two places. */
function isLonger(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  if (text.length > 2 * characters) return true;
  let counted = 0;
  for (const _ of text) counted++;
  return counted > characters;
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
