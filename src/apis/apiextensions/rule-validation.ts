// CustomResourceDefinition validation: x-validations rules and their estimated cost.
import type { Cardinality, JsonSchema } from '../../cel/index.ts';
import { type FieldError, forbidden, internal, invalid } from '../../errors/field-error.ts';
import { goSyntaxOfType } from '../../errors/go-syntax-of-type.ts';
import type { CompiledRules, Expression } from './compiled-rules.ts';
import { extensionsOf, type JSONSchemaProps, ValidationRule } from './json-schema.ts';
import type { SchemaValidationOptions } from './patterns.ts';

/** Where in an object a schema applies, as far as it matters to rules. */
export interface RulePlace {
  /** How many values of the schema there may be in one object. */
  readonly cardinality: Cardinality;
  /** The enclosing list whose items cannot be correlated with the old list, if any. */
  readonly uncorrelated: string | undefined;
}

export const rootPlace: RulePlace = { cardinality: 1, uncorrelated: undefined };

/** The number of most expensive rules that an exceeded total cost names. */
const mostBlamed = 4;
const worthBlaming = 1_000_000;

/** Validation stops after this many errors. */
const mostErrors = 10_000;

/** Checks the rules of one schema, wherever in it they stand. */
export class RuleChecks {
  readonly errors: FieldError[] = [];
  readonly #compiled: CompiledRules;
  readonly #names: SchemaValidationOptions;
  readonly #costs: { readonly field: string; readonly cost: number }[] = [];

  constructor(compiled: CompiledRules, names: SchemaValidationOptions) {
    this.#compiled = compiled;
    this.#names = names;
  }

  /** The place of what lies in a schema. */
  within({ cardinality, uncorrelated }: RulePlace, schema: JSONSchemaProps, path: string): RulePlace {
    const isList = schema.type === 'array';
    const isCorrelated = !isList || extensionsOf(schema, this.#names).listType === 'map';
    return {
      cardinality: this.#hasRules
        ? this.#cel.cardinalityWithin(cardinality, schema as JsonSchema)
        : undefined,
      uncorrelated: uncorrelated ?? (isCorrelated ? undefined : path),
    };
  }

  check(schema: JSONSchemaProps, { cardinality, uncorrelated }: RulePlace, path: string): void {
    const { validations } = extensionsOf(schema, this.#names);
    if (validations.length === 0) return;
    const { ruleCost } = this.#cel;
    const fieldPath = `${path}.${this.#names.validations}`;
    const type = this.#compiled.typeOf(schema);
    if (!type) {
      const detail = `internal error: failed to construct type information for ${this.#names.validations} rules: unable to convert structural schema to CEL declarations`;
      this.errors.push(internal(fieldPath, detail));
      return;
    }
    for (const [i, rule] of validations.entries()) {
      if (this.errors.length >= mostErrors) return;
      const { rule: compiled, usesOldSelf, message } = this.#compiled.of(rule);
      this.#settle(rule, compiled, `${fieldPath}[${i}].rule`, 'rule', (cost) =>
        ruleCost(cost, cardinality, type),
      );
      if (message) {
        this.#settle(
          rule,
          message,
          `${fieldPath}[${i}].messageExpression`,
          'messageExpression',
          (cost) => cost,
        );
      }
      if (rule.optionalOldSelf !== undefined && !usesOldSelf) {
        const detail = 'may not be set if oldSelf is not used in rule';
        this.errors.push(invalid(`${fieldPath}[${i}].optionalOldSelf`, rule.optionalOldSelf, detail));
      }
      if (usesOldSelf && uncorrelated !== undefined) {
        const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
        this.errors.push(invalid(`${fieldPath}[${i}].rule`, rule.rule, detail));
      }
    }
  }

  /** Validates the total estimated cost of all rules. */
  checkTotal(path: string): void {
    const total = this.#costs.reduce((sum, { cost }) => sum + cost, 0);
    if (total === 0) return;
    const { overBudget, costPerSchema } = this.#cel;
    const what = `${this.#names.validations} estimated rule cost total for entire OpenAPIv3 schema`;
    const problem = overBudget(what, total, costPerSchema);
    if (problem === undefined) return;
    const blamed = this.#costs
      .filter(({ cost }) => cost > worthBlaming)
      .sort((one, other) => other.cost - one.cost)
      .slice(0, mostBlamed);
    const detail =
      'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    for (const { field } of blamed) this.errors.push(forbidden(field, detail));
    this.errors.push(forbidden(path, problem));
  }

  #settle(
    rule: ValidationRule,
    expression: Expression,
    field: string,
    name: 'rule' | 'messageExpression',
    costInAll: (cost: number) => number,
  ): void {
    if ('problem' in expression) {
      this.errors.push(invalid(field, goSyntaxOfType(ValidationRule, rule), expression.problem));
      return;
    }
    const cost = costInAll(expression.cost);
    this.#costs.push({ field, cost });
    const { overBudget, costPerRule } = this.#cel;
    const problem = overBudget(`estimated ${name} cost`, cost, costPerRule);
    if (problem !== undefined) this.errors.push(forbidden(field, problem));
  }

  get #cel() {
    return this.#compiled.cel;
  }

  get #hasRules(): boolean {
    return this.#compiled.hasRules;
  }
}
