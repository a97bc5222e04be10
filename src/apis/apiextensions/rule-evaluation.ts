// Custom resource validation: evaluates x-validations rules on objects, within a cost budget.
import type { CooperativeYield } from '../../base/cooperative-yield.ts';
import type { Program } from '../../cel/index.ts';
import { isObject, type JsonValue } from '../../codec/json/json-value.ts';
import { duplicate, type FieldError, forbidden, invalid, required } from '../../errors/field-error.ts';
import { ExpensiveValidation } from '../../kind/expensive-validation.ts';
import { isSameValue } from '../../patch/apply/values.ts';
import type { CompiledRules } from './compiled-rules.ts';
import {
  type ExtensionNames,
  extensionsOf,
  type JSONSchemaProps,
  type ValidationRule,
} from './json-schema.ts';
import { fieldSchema, parseRulePath } from './rule-path.ts';

/** The runtime cost limit of all rules for one object. */
export const costPerObject = 10_000_000;
const maxMessageBytes = 5 * 1024;
/** The time of an expression with `maxRuleCost`: units of cost differ, because they count no time zones and patterns. */
const maxRuleMs = 10;

export interface EvaluationOptions {
  /** The cost limit of all evaluations together. */
  readonly budget?: number;
  /** Cost above which an expression throws ExpensiveValidation, so that another thread repeats it. It then has 10 ms, too. */
  readonly maxRuleCost?: number | undefined;
  /** Collects violations of unchanged values separately, so that the caller can tolerate them. */
  readonly ratcheting?: boolean;
}

/** Evaluates the rules of one definition on values. The cost budget is shared by all calls of `check`. */
export class RuleEvaluation {
  readonly #compiled: CompiledRules;
  readonly #names: ExtensionNames;
  readonly #cooperativeYield: CooperativeYield;
  readonly #ratcheting: boolean;
  readonly #maxRuleCost: number | undefined;
  /** On the monotonic clock. */
  #deadlineMs = 0;
  readonly #isOverdue = () => performance.now() > this.#deadlineMs;
  #remainingCost: number;
  /** Set once the budget is exceeded: no further rule runs. */
  #isExhausted = false;
  /** Violations of unchanged values, which ratcheting lets pass. */
  readonly unchangedErrors: FieldError[] = [];
  /** Whether violations of unchanged values go to `unchanged`; false in `checkUnchanged`. */
  #toleratesUnchanged = true;

  constructor(
    compiled: CompiledRules,
    names: ExtensionNames,
    cooperativeYield: CooperativeYield,
    { budget = costPerObject, maxRuleCost, ratcheting = true }: EvaluationOptions = {},
  ) {
    this.#compiled = compiled;
    this.#names = names;
    this.#cooperativeYield = cooperativeYield;
    this.#remainingCost = budget;
    this.#maxRuleCost = maxRuleCost;
    this.#ratcheting = ratcheting;
  }

  get remainingCost(): number {
    return this.#remainingCost;
  }

  /** The violations of a value, with paths relative to it. `old` is undefined for a new value. */
  async check(value: JsonValue, old: JsonValue | undefined, schema: JSONSchemaProps): Promise<FieldError[]> {
    const errors: FieldError[] = [];
    this.#toleratesUnchanged = true;
    await this.#visit(value, old, schema, '', errors);
    return errors;
  }

  /** The violations of an unchanged value, without ratcheting. */
  async checkUnchanged(value: JsonValue, schema: JSONSchemaProps): Promise<FieldError[]> {
    const errors: FieldError[] = [];
    this.#toleratesUnchanged = false;
    await this.#visit(value, value, schema, '', errors);
    return errors;
  }

  /** Checks a value and, recursively, everything in it whose schema has rules. */
  async #visit(
    value: JsonValue,
    old: JsonValue | undefined,
    schema: JSONSchemaProps,
    path: string,
    errors: FieldError[],
  ): Promise<void> {
    if (value === null || !this.#compiled.hasRulesWithin(schema)) return;
    const yielding = this.#cooperativeYield.next();
    if (yielding) await yielding;
    await this.#checkRules(value, old ?? null, schema, path, errors);
    const { properties = {}, items, additionalProperties } = schema;
    if (Array.isArray(value)) {
      if (!items || Array.isArray(items) || !this.#compiled.hasRulesWithin(items)) return;
      const oldItems = this.#itemsByKey(old, schema);
      for (const [i, item] of value.entries()) {
        const oldItem = oldItems?.get(this.#keyOf(item, schema));
        await this.#visit(item, oldItem, items, `${path}[${i}]`, errors);
      }
    } else if (isObject(value)) {
      for (const key of Object.keys(value).sort()) {
        const isProperty = Object.hasOwn(properties, key);
        const innerSchema = isProperty ? properties[key] : additionalProperties;
        if (typeof innerSchema !== 'object') continue;
        const oldMember = isObject(old) && Object.hasOwn(old, key) ? old[key] : undefined;
        await this.#visit(value[key]!, oldMember, innerSchema, path + pathStep(key, isProperty), errors);
      }
    }
  }

  /** Evaluates the rules of the schema itself. `oldSelf` is null for a new value. */
  async #checkRules(
    self: JsonValue,
    oldSelf: JsonValue,
    schema: JSONSchemaProps,
    path: string,
    errors: FieldError[],
  ): Promise<void> {
    if (!this.#compiled.typeOf(schema)) return;
    const isUnchanged = this.#ratcheting && oldSelf !== null && isSameValue(self, oldSelf);
    for (const rule of extensionsOf(schema, this.#names).validations) {
      if (this.#isExhausted) return;
      const { rule: compiled, usesOldSelf, message } = this.#compiled.compiledRule(rule);
      if (rule.rule.trim() === '') continue;
      // A rule that uses oldSelf is about the change itself, so its violations are never tolerated.
      const isTolerated = this.#toleratesUnchanged && isUnchanged && !usesOldSelf;
      const errorList = isTolerated ? this.unchangedErrors : errors;
      const addError = (detail: string) => errorList.push(invalid(path, schema.type ?? '', detail));
      if ('problem' in compiled) {
        addError(`rule compile error: ${compiled.problem}`);
        continue;
      }
      // A transition rule needs an old value.
      if (usesOldSelf && !rule.optionalOldSelf && oldSelf === null) continue;
      const yielding = this.#cooperativeYield.next();
      if (yielding) await yielding;
      const result = this.#evaluate(compiled.program, self, oldSelf);
      const ruleText = rule.message?.trim() || rule.rule.trim();
      const budgetProblem = this.#budgetProblem(result, ruleText);
      if (budgetProblem !== undefined) {
        this.#isExhausted = true;
        errors.push(invalid(path, schema.type ?? '', budgetProblem));
      } else if ('problem' in result) {
        addError(`${result.problem} evaluating rule: ${ruleText}`);
      } else if (result.value !== true) {
        const messageText =
          message && 'program' in message ? this.#evaluateMessage(message.program, self, oldSelf) : '';
        errorList.push(violationError(rule, schema, path, messageText));
      }
    }
  }

  /** Evaluates an expression and subtracts its cost from the budget. */
  #evaluate(program: Program, self: JsonValue, oldSelf: JsonValue) {
    const result = this.#run(program, { self, oldSelf });
    this.#remainingCost -= result.cost;
    return result;
  }

  #run(program: Program, variables: { readonly self: JsonValue; readonly oldSelf: JsonValue }) {
    const costLimit = this.#maxRuleCost;
    if (costLimit === undefined) {
      return program.evaluate(variables, { costLimit: this.#compiled.cel.costPerExpression });
    }
    this.#deadlineMs = performance.now() + maxRuleMs;
    const result = program.evaluate(variables, { costLimit, isCancelled: this.#isOverdue });
    if ('problem' in result && result.interrupted) throw new ExpensiveValidation();
    return result;
  }

  /** The error if the rule exceeds its cost limit, or all rules together exceed the budget; undefined otherwise. */
  #budgetProblem(result: ReturnType<Program['evaluate']>, ruleText: string): string | undefined {
    if ('problem' in result && result.interrupted) {
      return `'${result.problem}': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleText}`;
    }
    if (this.#remainingCost < 0) {
      return 'validation failed due to running out of cost budget, no further validation rules will be run';
    }
    return undefined;
  }

  /** The result of messageExpression, or '' if it fails, is too long or has several lines. */
  #evaluateMessage(program: Program, self: JsonValue, oldSelf: JsonValue): string {
    const result = this.#evaluate(program, self, oldSelf);
    const text = 'value' in result && typeof result.value === 'string' ? result.value.trim() : '';
    return /[\r\n]/.test(text) || Buffer.byteLength(text) > maxMessageBytes ? '' : text;
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

const pathStep = (key: string, isProperty: boolean) => (isProperty ? `.${key}` : `[${key}]`);

function violationError(
  rule: ValidationRule,
  schema: JSONSchemaProps,
  path: string,
  expressionMessage: string,
): FieldError {
  const message = expressionMessage || rule.message?.trim() || `failed rule: ${rule.rule.trim()}`;
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

/** The rule's fieldPath in the notation of errors: `.name` for properties, `[key]` for map keys. */
function fieldPathOf({ fieldPath = '' }: ValidationRule, schema: JSONSchemaProps): string {
  let subschema: JSONSchemaProps | undefined = schema;
  let path = '';
  for (const name of parseRulePath(fieldPath) ?? []) {
    path += pathStep(name, Object.hasOwn(subschema?.properties ?? {}, name));
    subschema = subschema && fieldSchema(subschema, name);
  }
  return path;
}
