// Custom resource validation: the compiled x-validations rules of a definition.
import type { Program, SchemaType } from '../../cel/index.ts';
import type { Cel } from '../../cel/on-demand.ts';
import type { FieldError } from '../../errors/field-error.ts';
import { type JSONSchemaProps, someInner, type ValidationRule } from './json-schema.ts';

/** A compile error, or the program with its estimated cost. */
export type Expression = { readonly problem: string } | { readonly program: Program; readonly cost: number };

/** A rule as the compiler sees it. */
export interface CompiledRule {
  readonly rule: Expression;
  readonly usesOldSelf: boolean;
  /** Of a rule that is right. */
  readonly message: Expression | undefined;
}

export class CompiledRules {
  readonly #cel: Cel | undefined;
  readonly #types = new Map<JSONSchemaProps, SchemaType>();
  readonly #rules = new Map<ValidationRule, CompiledRule>();
  readonly #within = new Map<JSONSchemaProps, boolean>();
  readonly #brokenBy = new Map<JSONSchemaProps, readonly FieldError[]>();

  constructor(cel?: Cel) {
    this.#cel = cel;
  }

  add(schema: JSONSchemaProps, type: SchemaType): void {
    this.#types.set(schema, type);
  }

  addRule(rule: ValidationRule, compiled: CompiledRule): void {
    this.#rules.set(rule, compiled);
  }

  addBroken(schema: JSONSchemaProps, errors: readonly FieldError[]): void {
    this.#brokenBy.set(schema, errors);
  }

  /** The rules that the default of a schema breaks, with paths that begin at it. */
  brokenByDefault(schema: JSONSchemaProps): readonly FieldError[] {
    return this.#brokenBy.get(schema) ?? [];
  }

  /** The CEL type of the value that the schema describes; undefined without rules. */
  typeOf(schema: JSONSchemaProps): SchemaType | undefined {
    return this.#types.get(schema);
  }

  /** Whether there are rules in a schema, at any depth. */
  areWithin(schema: JSONSchemaProps): boolean {
    let areWithin = this.#within.get(schema);
    if (areWithin === undefined) {
      areWithin = this.#types.has(schema) || someInner(schema, (inner) => this.areWithin(inner));
      this.#within.set(schema, areWithin);
    }
    return areWithin;
  }

  of(rule: ValidationRule): CompiledRule {
    const compiled = this.#rules.get(rule);
    if (!compiled) throw new Error('a rule is checked before it is compiled');
    return compiled;
  }

  get hasRules(): boolean {
    return this.#cel !== undefined;
  }

  /** The CEL engine, loaded where the definition has rules. */
  get cel(): Cel {
    if (!this.#cel) throw new Error('rules are checked before they are compiled');
    return this.#cel;
  }
}
