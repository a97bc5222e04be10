// Custom resources: evaluates the x-kubernetes-validations rules of a schema on write, after schema validation.
import type { CompiledRules } from '../apis/apiextensions/compiled-rules.ts';
import type { CustomResourceDefinition } from '../apis/apiextensions/customresourcedefinition-schema.ts';
import { type JSONSchemaProps, someSubschema } from '../apis/apiextensions/json-schema.ts';
import type { ValueValidationOptions } from '../apis/apiextensions/patterns.ts';
import type { RuleCompiler } from '../apis/apiextensions/rule-compiler.ts';
import { RuleEvaluation } from '../apis/apiextensions/rule-evaluation.ts';
import type { CustomResourceDefinitionVersion } from '../apis/apiextensions/version.ts';
import { CooperativeYield } from '../base/cooperative-yield.ts';
import { type FieldError, fieldErrorBody, invalid } from '../errors/field-error.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { toJsonObject } from './to-json-object.ts';

/** The errors and warnings of schema and rules for one object. */
export interface CustomValidationResult {
  readonly errors: readonly FieldError[];
  /** Violations of unchanged values: tolerated, with a warning. */
  readonly warnings: readonly string[];
}

/** The x-validations rules in the schema of one version. */
export class CustomRules {
  readonly #schema: JSONSchemaProps;
  readonly #options: ValueValidationOptions;
  readonly #compiler: RuleCompiler;
  readonly #definition: { readonly spec: Pick<CustomResourceDefinition['spec'], 'versions'> };
  #compiled: CompiledRules | undefined;

  constructor(
    version: CustomResourceDefinitionVersion,
    schema: JSONSchemaProps,
    options: ValueValidationOptions,
    compiler: RuleCompiler,
  ) {
    this.#schema = schema;
    this.#options = options;
    this.#compiler = compiler;
    this.#definition = { spec: { versions: [version] } };
  }

  /** Evaluates the rules, unless schema validation has failed. Throws ExpensiveValidation above `maxRuleCost`. */
  async validate(
    object: ApiObject,
    old: ApiObject | undefined,
    schemaErrors: readonly FieldError[],
    maxRuleCost?: number,
  ): Promise<CustomValidationResult> {
    if (schemaErrors.length > 0) {
      const message =
        'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
      // `<nil>` is how an error without a field is reported.
      return { errors: [...schemaErrors, invalid('<nil>', 'null', message)], warnings: [] };
    }
    const rules = new RuleEvaluation(await this.#compile(), this.#options, new CooperativeYield(), {
      maxRuleCost,
    });
    const errors = await rules.check(toJsonObject(object), old && toJsonObject(old), this.#schema);
    const warnings = rules.unchangedErrors
      .map(normalizeField)
      .map((error) => `${error.field}: ${fieldErrorBody(error)}`);
    return { errors: errors.map(normalizeField), warnings };
  }

  async #compile(): Promise<CompiledRules> {
    if (!this.#compiled) {
      // Stored rules may use every library.
      await this.#compiler.load(this.#definition, this.#definition);
      this.#compiled = this.#compiler.rulesOf(this.#definition);
    }
    return this.#compiled;
  }
}

/** Rule paths start with a dot: `.spec.min`. The root, whose path is empty, is reported as `<nil>`. */
function normalizeField(error: FieldError): FieldError {
  return { ...error, field: error.field.replace(/^\./, '') || '<nil>' };
}

/** Whether a schema has rules, at any depth. */
export function hasRules(schema: JSONSchemaProps, options: ValueValidationOptions): boolean {
  const validations = schema[options.validations];
  if (Array.isArray(validations) && validations.length > 0) return true;
  return someSubschema(schema, (subschema) => hasRules(subschema, options));
}
