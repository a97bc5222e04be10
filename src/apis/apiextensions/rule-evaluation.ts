// Custom resource validation: evaluates x-validations rules on objects, within a cost budget.
import type { CooperativeYield } from '../../base/cooperative-yield.ts';
import type { Program } from '../../cel/index.ts';
import { isObject, type JsonValue } from '../../codec/json/json-value.ts';
import { duplicate, type FieldError, forbidden, invalid, required } from '../../errors/field-error.ts';
import { isSameValue } from '../../patch/apply/values.ts';
import type { CompiledRules } from './compiled-rules.ts';
import {
  type ExtensionNames,
  extensionsOf,
  type JSONSchemaProps,
  type ValidationRule,
} from './json-schema.ts';
import { fieldOf, parseRulePath } from './rule-path.ts';

/** The runtime cost limit of all rules for one object. */
export const costPerObject = 10_000_000;
const longestMessage = 5 * 1024;

export interface EvaluationOptions {
  readonly budget?: number;
  /** Ratcheting: violations of unchanged values are collected apart. */
  readonly forgivesUnchanged?: boolean;
}

/** Evaluates the rules of a schema on values, with a total cost budget. */
export class RuleEvaluation {
  readonly #compiled: CompiledRules;
  readonly #names: ExtensionNames;
  readonly #turns: CooperativeYield;
  readonly #forgivesUnchanged: boolean;
  #left: number;
  #isOver = false;
  /** Violations of unchanged values, which ratcheting lets pass. */
  readonly unchanged: FieldError[] = [];
  #letsPass = true;

  constructor(
    compiled: CompiledRules,
    names: ExtensionNames,
    turns: CooperativeYield,
    { budget = costPerObject, forgivesUnchanged = true }: EvaluationOptions = {},
  ) {
    this.#compiled = compiled;
    this.#names = names;
    this.#turns = turns;
    this.#left = budget;
    this.#forgivesUnchanged = forgivesUnchanged;
  }

  /** The remaining cost budget. */
  get left(): number {
    return this.#left;
  }

  /** The violations of a value, with paths relative to it. `old` is undefined for a new value. */
  async check(value: JsonValue, old: JsonValue | undefined, schema: JSONSchemaProps): Promise<FieldError[]> {
    const errors: FieldError[] = [];
    this.#letsPass = true;
    await this.#visit(value, old, schema, '', errors);
    return errors;
  }

  /** The same of a value that stays, without letting pass what it broke before. */
  async checkStaying(value: JsonValue, schema: JSONSchemaProps): Promise<FieldError[]> {
    const errors: FieldError[] = [];
    this.#letsPass = false;
    await this.#visit(value, value, schema, '', errors);
    return errors;
  }

  async #visit(
    value: JsonValue,
    old: JsonValue | undefined,
    schema: JSONSchemaProps,
    path: string,
    errors: FieldError[],
  ): Promise<void> {
    if (value === null || !this.#compiled.areWithin(schema)) return;
    const turn = this.#turns.next();
    if (turn) await turn;
    await this.#checkRules(value, old ?? null, schema, path, errors);
    const { properties = {}, items, additionalProperties } = schema;
    if (Array.isArray(value)) {
      if (!items || Array.isArray(items) || !this.#compiled.areWithin(items)) return;
      const before = this.#itemsByKey(old, schema);
      for (const [i, item] of value.entries()) {
        const same = before?.get(this.#keyOf(item, schema));
        await this.#visit(item, same, items, `${path}[${i}]`, errors);
      }
    } else if (isObject(value)) {
      for (const key of Object.keys(value).sort()) {
        const isProperty = Object.hasOwn(properties, key);
        const inner = isProperty ? properties[key] : additionalProperties;
        if (typeof inner !== 'object') continue;
        const same = isObject(old) && Object.hasOwn(old, key) ? old[key] : undefined;
        await this.#visit(value[key]!, same, inner, path + step(key, isProperty), errors);
      }
    }
  }

  async #checkRules(
    self: JsonValue,
    oldSelf: JsonValue,
    schema: JSONSchemaProps,
    path: string,
    errors: FieldError[],
  ): Promise<void> {
    if (!this.#compiled.typeOf(schema)) return;
    const isUnchanged = this.#forgivesUnchanged && oldSelf !== null && isSameValue(self, oldSelf);
    for (const rule of extensionsOf(schema, this.#names).validations) {
      if (this.#isOver) return;
      const { rule: compiled, usesOldSelf, message } = this.#compiled.of(rule);
      if (rule.rule.trim() === '') continue;
      const found = this.#letsPass && isUnchanged && !usesOldSelf ? this.unchanged : errors;
      const wrong = (detail: string) => found.push(invalid(path, schema.type ?? '', detail));
      if ('problem' in compiled) {
        wrong(`rule compile error: ${compiled.problem}`);
        continue;
      }
      if (usesOldSelf && !rule.optionalOldSelf && oldSelf === null) continue;
      const turn = this.#turns.next();
      if (turn) await turn;
      const result = this.#evaluate(compiled.program, self, oldSelf);
      const called = rule.message?.trim() || rule.rule.trim();
      if ('problem' in result && result.interrupted) {
        this.#isOver = true;
        const detail = `'${result.problem}': no further validation rules will be run due to call cost exceeds limit for rule: ${called}`;
        errors.push(invalid(path, schema.type ?? '', detail));
      } else if (this.#left < 0) {
        this.#isOver = true;
        const detail =
          'validation failed due to running out of cost budget, no further validation rules will be run';
        errors.push(invalid(path, schema.type ?? '', detail));
      } else if ('problem' in result) {
        wrong(`${result.problem} evaluating rule: ${called}`);
      } else if (result.value !== true) {
        const said = message && 'program' in message ? this.#say(message.program, self, oldSelf) : '';
        found.push(breachOf(rule, schema, path, said));
      }
    }
  }

  #evaluate(program: Program, self: JsonValue, oldSelf: JsonValue) {
    const costLimit = this.#compiled.cel.costPerExpression;
    const result = program.evaluate({ self, oldSelf }, { costLimit });
    this.#left -= result.cost;
    return result;
  }

  /** The result of messageExpression; '' where it cannot be shown. */
  #say(program: Program, self: JsonValue, oldSelf: JsonValue): string {
    const result = this.#evaluate(program, self, oldSelf);
    const said = 'value' in result && typeof result.value === 'string' ? result.value.trim() : '';
    return /[\r\n]/.test(said) || Buffer.byteLength(said) > longestMessage ? '' : said;
  }

  /** The old items of a list by their map keys; undefined for other list types. */
  #itemsByKey(
    old: JsonValue | undefined,
    schema: JSONSchemaProps,
  ): ReadonlyMap<string, JsonValue> | undefined {
    if (!Array.isArray(old) || extensionsOf(schema, this.#names).listType !== 'map') return undefined;
    return new Map(old.map((item) => [this.#keyOf(item, schema), item]));
  }

  #keyOf(item: JsonValue, schema: JSONSchemaProps): string {
    const { listMapKeys } = extensionsOf(schema, this.#names);
    return JSON.stringify(listMapKeys.map((key) => (isObject(item) ? item[key] : undefined) ?? null));
  }
}

const step = (key: string, isProperty: boolean) => (isProperty ? `.${key}` : `[${key}]`);

function breachOf(rule: ValidationRule, schema: JSONSchemaProps, path: string, said: string): FieldError {
  const message = said || rule.message?.trim() || `failed rule: ${rule.rule.trim()}`;
  const field = path + fieldPathOf(rule, schema);
  switch (rule.reason) {
    case 'FieldValueForbidden':
      return forbidden(field, message);
    case 'FieldValueRequired':
      return required(field, message);
    case 'FieldValueDuplicate':
      return duplicate(field, schema.type ?? '');
    default:
      return invalid(field, schema.type ?? '', message);
  }
}

/** The path of a rule as errors write it: names of properties behind dots, keys of maps in brackets. */
function fieldPathOf({ fieldPath = '' }: ValidationRule, schema: JSONSchemaProps): string {
  let place: JSONSchemaProps | undefined = schema;
  let path = '';
  for (const name of parseRulePath(fieldPath) ?? []) {
    path += step(name, Object.hasOwn(place?.properties ?? {}, name));
    place = place && fieldOf(place, name);
  }
  return path;
}
