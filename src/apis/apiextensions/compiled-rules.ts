// Custom resource validation: the compiled x-validations rules of a definition.
import type { Program, SchemaType } from '../../cel/index.ts';
import type { Cel } from '../../cel/on-demand.ts';
import type { FieldError } from '../../errors/field-error.ts';
import { type JSONSchemaProps, someSubschema, type ValidationRule } from './json-schema.ts';

/** A compile error, or the program with its estimated cost. */
export type Expression = { readonly problem: string } | { readonly program: Program; readonly cost: number };

/** The result of compiling a rule. */
export interface CompiledRule {
  readonly rule: Expression;
  readonly usesOldSelf: boolean;
  /** The compiled messageExpression. Absent if the rule has none or does not compile. */
  readonly message: Expression | undefined;
}

/** Compiled rules and CEL types, by the rule and schema objects of the definition that they were compiled from. */
export class CompiledRules {
  readonly #cel: Cel | undefined;
  readonly #types = new Map<JSONSchemaProps, SchemaType>();
  readonly #rules = new Map<ValidationRule, CompiledRule>();
  readonly #hasRulesWithin = new Map<JSONSchemaProps, boolean>();
  readonly #defaultErrors = new Map<JSONSchemaProps, readonly FieldError[]>();

  constructor(cel?: Cel) {
    this.#cel = cel;
  }

  addType(schema: JSONSchemaProps, type: SchemaType): void {
    this.#types.set(schema, type);
  }

  addRule(rule: ValidationRule, compiled: CompiledRule): void {
    this.#rules.set(rule, compiled);
  }

  addDefaultErrors(schema: JSONSchemaProps, errors: readonly FieldError[]): void {
    this.#defaultErrors.set(schema, errors);
  }

  /** The violations of rules by a schema's default, with paths relative to the default. */
  defaultErrors(schema: JSONSchemaProps): readonly FieldError[] {
    return this.#defaultErrors.get(schema) ?? [];
  }

  /** The CEL type of the values of a schema; undefined if the schema has no rules. */
  typeOf(schema: JSONSchemaProps): SchemaType | undefined {
    return this.#types.get(schema);
  }

  /** Whether a schema or any of its subschemas has rules. */
  hasRulesWithin(schema: JSONSchemaProps): boolean {
    let hasRules = this.#hasRulesWithin.get(schema);
    if (hasRules === undefined) {
      hasRules = this.#types.has(schema) || someSubschema(schema, (inner) => this.hasRulesWithin(inner));
      this.#hasRulesWithin.set(schema, hasRules);
    }
    return hasRules;
  }

  /** Throws if the rule is not one of the definition's. */
  compiledRule(rule: ValidationRule): CompiledRule {
    const compiled = this.#rules.get(rule);
    if (!compiled) throw new Error('the rule has not been compiled');
    return compiled;
  }

  /** Whether the definition has rules. */
  get hasRules(): boolean {
    return this.#cel !== undefined;
  }

  /** The CEL engine, which is loaded only for definitions with rules. */
  get cel(): Cel {
    if (!this.#cel) throw new Error('the rules have not been compiled');
    return this.#cel;
  }
}
