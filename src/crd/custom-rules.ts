// Custom resources: schema validation and x-validations rules on write.
import type { CompiledRules } from '../apis/apiextensions/compiled-rules.ts';
import type { CustomResourceDefinition } from '../apis/apiextensions/customresourcedefinition-schema.ts';
import { type JSONSchemaProps, someInner } from '../apis/apiextensions/json-schema.ts';
import type { ValueTerms } from '../apis/apiextensions/patterns.ts';
import type { RuleCompiler } from '../apis/apiextensions/rule-compiler.ts';
import { RuleEvaluation } from '../apis/apiextensions/rule-evaluation.ts';
import type { CustomResourceDefinitionVersion } from '../apis/apiextensions/version.ts';
import { CooperativeYield } from '../base/cooperative-yield.ts';
import { type FieldError, fieldErrorBody, invalid } from '../errors/field-error.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { asJson } from './as-json.ts';

/** The validation result of an object. */
export interface Verdict {
  readonly errors: readonly FieldError[];
  /** Violations of unchanged values: tolerated, with a warning. */
  readonly warnings: readonly string[];
}

/** Holds objects of one version of a custom kind to the rules in its schema. */
export class CustomRules {
  readonly #schema: JSONSchemaProps;
  readonly #terms: ValueTerms;
  readonly #compiler: RuleCompiler;
  readonly #definition: { readonly spec: Pick<CustomResourceDefinition['spec'], 'versions'> };
  #compiled: CompiledRules | undefined;

  constructor(
    version: CustomResourceDefinitionVersion,
    schema: JSONSchemaProps,
    terms: ValueTerms,
    compiler: RuleCompiler,
  ) {
    this.#schema = schema;
    this.#terms = terms;
    this.#compiler = compiler;
    this.#definition = { spec: { versions: [version] } };
  }

  /** Evaluates the rules, unless schema validation has failed. */
  async judge(object: ApiObject, old: ApiObject | undefined, wrong: readonly FieldError[]): Promise<Verdict> {
    if (wrong.length > 0) {
      const why =
        'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
      return { errors: [...wrong, invalid('<nil>', 'null', why)], warnings: [] };
    }
    const rules = new RuleEvaluation(await this.#compile(), this.#terms, new CooperativeYield());
    const errors = await rules.check(asJson(object), old && asJson(old), this.#schema);
    const warnings = rules.unchanged
      .map(fromTheTop)
      .map((error) => `${error.field}: ${fieldErrorBody(error)}`);
    return { errors: errors.map(fromTheTop), warnings };
  }

  async #compile(): Promise<CompiledRules> {
    if (!this.#compiled) {
      // Stored rules may use every library.
      await this.#compiler.load(this.#definition, this.#definition);
      this.#compiled = this.#compiler.of(this.#definition);
    }
    return this.#compiled;
  }
}

function fromTheTop(error: FieldError): FieldError {
  return { ...error, field: error.field.replace(/^\./, '') || '<nil>' };
}

/** Whether there are rules anywhere in a schema. */
export function hasRules(schema: JSONSchemaProps, terms: ValueTerms): boolean {
  const validations = schema[terms.validations];
  if (Array.isArray(validations) && validations.length > 0) return true;
  return someInner(schema, (inner) => hasRules(inner, terms));
}
