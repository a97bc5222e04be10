// CustomResourceDefinition validation: x-validations rules and their estimated cost.
import type { Cardinality, CelJsonSchema } from '../../cel/index.ts';
import { type FieldError, forbidden, internal, invalid } from '../../errors/field-error.ts';
import { goSyntaxOfType } from '../../errors/go-syntax-of-type.ts';
import type { CompiledRules, Expression } from './compiled-rules.ts';
import { extensionsOf, type JSONSchemaProps, ValidationRule } from './json-schema.ts';
import type { SchemaValidationOptions } from './patterns.ts';

/** The location of a schema in the object, as far as it affects rules. */
export interface RuleLocation {
  /** The maximum number of values of the schema in one object. */
  readonly cardinality: Cardinality;
  /** The path of the enclosing list whose items cannot be correlated with those of the old list; undefined if none. */
  readonly uncorrelated: string | undefined;
}

export const rootLocation: RuleLocation = { cardinality: 1, uncorrelated: undefined };

/** The errors for an exceeded total cost name at most this many of the most expensive rules. */
const maxBlamedRules = 4;
/** Cheaper rules are not named. */
const minBlamedCost = 1_000_000;

/** Validation stops after this many errors. */
const maxErrors = 10_000;

/** Collects the errors of the rules in a schema; `SchemaValidator` calls it for each subschema. */
export class RuleValidator {
  readonly errors: FieldError[] = [];
  readonly #compiled: CompiledRules;
  readonly #options: SchemaValidationOptions;
  readonly #costs: { readonly field: string; readonly cost: number }[] = [];

  constructor(compiled: CompiledRules, options: SchemaValidationOptions) {
    this.#compiled = compiled;
    this.#options = options;
  }

  /** The location of the children of a schema. */
  within({ cardinality, uncorrelated }: RuleLocation, schema: JSONSchemaProps, path: string): RuleLocation {
    const isList = schema.type === 'array';
    const isCorrelated = !isList || extensionsOf(schema, this.#options).listType === 'map';
    return {
      cardinality: this.#hasRules
        ? this.#cel.innerCardinality(cardinality, schema as CelJsonSchema)
        : undefined,
      uncorrelated: uncorrelated ?? (isCorrelated ? undefined : path),
    };
  }

  /** Validates the rules of the schema itself, not of its subschemas. */
  check(schema: JSONSchemaProps, { cardinality, uncorrelated }: RuleLocation, path: string): void {
    const { validations } = extensionsOf(schema, this.#options);
    if (validations.length === 0) return;
    const { ruleCost } = this.#cel;
    const fieldPath = `${path}.${this.#options.validations}`;
    const type = this.#compiled.typeOf(schema);
    if (!type) {
      const detail = `internal error: failed to construct type information for ${this.#options.validations} rules: unable to convert structural schema to CEL declarations`;
      this.errors.push(internal(fieldPath, detail));
      return;
    }
    for (const [i, rule] of validations.entries()) {
      if (this.errors.length >= maxErrors) return;
      const { rule: compiled, usesOldSelf, message } = this.#compiled.compiledRule(rule);
      this.#addExpression(rule, compiled, `${fieldPath}[${i}].rule`, 'rule', (cost) =>
        ruleCost(cost, cardinality, type),
      );
      if (message) {
        this.#addExpression(
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

  /** Validates the total estimated cost of all rules that were checked. */
  checkTotal(path: string): void {
    const totalCost = this.#costs.reduce((sum, { cost }) => sum + cost, 0);
    if (totalCost === 0) return;
    const { costLimitError, costPerSchema } = this.#cel;
    const subject = `${this.#options.validations} estimated rule cost total for entire OpenAPIv3 schema`;
    const problem = costLimitError(subject, totalCost, costPerSchema);
    if (problem === undefined) return;
    const blamed = this.#costs
      .filter(({ cost }) => cost > minBlamedCost)
      .sort((a, b) => b.cost - a.cost)
      .slice(0, maxBlamedRules);
    const detail =
      'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    for (const { field } of blamed) this.errors.push(forbidden(field, detail));
    this.errors.push(forbidden(path, problem));
  }

  #addExpression(
    rule: ValidationRule,
    expression: Expression,
    field: string,
    name: 'rule' | 'messageExpression',
    costInSchema: (cost: number) => number,
  ): void {
    if ('problem' in expression) {
      this.errors.push(invalid(field, goSyntaxOfType(ValidationRule, rule), expression.problem));
      return;
    }
    const cost = costInSchema(expression.cost);
    this.#costs.push({ field, cost });
    const { costLimitError, costPerRule } = this.#cel;
    const problem = costLimitError(`estimated ${name} cost`, cost, costPerRule);
    if (problem !== undefined) this.errors.push(forbidden(field, problem));
  }

  get #cel() {
    return this.#compiled.cel;
  }

  get #hasRules(): boolean {
    return this.#compiled.hasRules;
  }
}
