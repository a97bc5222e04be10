// Custom resource validation: compiles the x-validations rules of a definition.
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import type { CelJsonSchema, Environment, Program, SchemaType, Variable } from '../../cel/index.ts';
import { type Cel, CelOnDemand } from '../../cel/on-demand.ts';
import { isObject, type JsonValue, nullPrototypeObject } from '../../codec/json/json-value.ts';
import { stringifyJson } from '../../codec/json/stringify.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { type CompiledRule, CompiledRules, type Expression } from './compiled-rules.ts';
import type { CustomResourceDefinition } from './customresourcedefinition-schema.ts';
import {
  childSchemas,
  type ExtensionNames,
  extensionNames,
  extensionsOf,
  type JSONSchemaProps,
  someSubschema,
  type ValidationRule,
} from './json-schema.ts';
import { costPerObject, RuleEvaluation } from './rule-evaluation.ts';
import { commonParts } from './version-validation.ts';

/** The parts of a definition that contain rules. */
interface RuledDefinition {
  readonly spec: Pick<CustomResourceDefinition['spec'], 'versions'>;
}

const noRules = new CompiledRules();

/** Compiles the rules of definitions, with cooperative yielding, before the definitions are validated. */
export class RuleCompiler {
  readonly #names: ExtensionNames;
  readonly #compilerOnDemand: CelOnDemand<RuleSetCompiler>;
  readonly #compiled = new WeakMap<RuledDefinition, CompiledRules>();

  constructor(dialect: Dialect) {
    this.#names = extensionNames(dialect);
    this.#compilerOnDemand = new CelOnDemand((cel) => new RuleSetCompiler(cel, dialect));
  }

  /** The compiled rules of a definition, after `load` has completed. */
  rulesOf(object: RuledDefinition): CompiledRules {
    return this.#compiled.get(object) ?? noRules;
  }

  /** Compiles the rules; `rulesOf` then returns them. Undefined if there are none. */
  load(object: RuledDefinition, old?: RuledDefinition): Promise<void> | undefined {
    const { versions = [] } = object.spec;
    return schemasOf(versions).some((schema) => this.#hasRules(schema)) ? this.#load(object, old) : undefined;
  }

  #hasRules(schema: JSONSchemaProps): boolean {
    return (
      extensionsOf(schema, this.#names).validations.length > 0 ||
      someSubschema(schema, (inner) => this.#hasRules(inner))
    );
  }

  async #load(object: RuledDefinition, old: RuledDefinition | undefined): Promise<void> {
    await this.#compilerOnDemand.load();
    const stored: StoredExpressions = { rules: new Set(), messages: new Set() };
    for (const schema of schemasOf(old?.spec.versions)) this.#addExpressions(schema, stored);
    const { versions = [] } = object.spec;
    // Versions with a common schema are compiled once.
    const compiledVersions = commonParts(versions, false).has('schema') ? versions.slice(0, 1) : versions;
    this.#compiled.set(
      object,
      await this.#compilerOnDemand.value.compile(schemasOf(compiledVersions), stored),
    );
  }

  /** Adds the expressions of a schema and its subschemas to `stored`. */
  #addExpressions(schema: JSONSchemaProps, stored: StoredExpressions): void {
    for (const { rule, messageExpression } of extensionsOf(schema, this.#names).validations) {
      stored.rules.add(rule);
      if (messageExpression) stored.messages.add(messageExpression);
    }
    for (const inner of childSchemas(schema)) this.#addExpressions(inner, stored);
  }
}

/** The expressions of the stored definition, which may use newer functions than new expressions. */
interface StoredExpressions {
  readonly rules: Set<string>;
  readonly messages: Set<string>;
}

function schemasOf(versions: CustomResourceDefinition['spec']['versions'] = []): JSONSchemaProps[] {
  return versions.map(({ schema }) => schema?.openAPIV3Schema).filter((schema) => schema !== undefined);
}

/** The cost limit of evaluating rules on the defaults of all versions. */
const maxDefaultsCost = 10 * costPerObject;

/** Compiles the rules of one definition's schemas. */
class RuleSetCompiler {
  readonly #cel: Cel;
  readonly #prefix: string;
  readonly #names: ExtensionNames;
  /** New expressions may only use functions that the previous release also has. */
  readonly #newEnvironment: Environment;
  /** Expressions that the stored definition already has may use all functions. */
  readonly #storedEnvironment: Environment;

  constructor(cel: Cel, dialect: Dialect) {
    const serviceName = dialect.name;
    this.#cel = cel;
    this.#prefix = dialect.extensionPrefix;
    this.#names = extensionNames(dialect);
    this.#newEnvironment = cel.createEnvironment({ serviceName, minor: cel.compatibleMinor });
    this.#storedEnvironment = cel.createEnvironment({ serviceName });
  }

  async compile(schemas: readonly JSONSchemaProps[], stored: StoredExpressions): Promise<CompiledRules> {
    const compiled = new CompiledRules(this.#cel);
    const cooperativeYield = new CooperativeYield();
    let remainingCost = maxDefaultsCost;
    for (const schema of schemas) {
      await this.#compileSchema(schema, stored, compiled, cooperativeYield);
      const budget = Math.min(costPerObject, remainingCost);
      const evaluation = new RuleEvaluation(compiled, this.#names, cooperativeYield, {
        budget,
        ratcheting: false,
      });
      await this.#checkDefaults(schema, evaluation, compiled);
      remainingCost -= budget - evaluation.remainingCost;
    }
    return compiled;
  }

  /** Adds the types and rules of a version's schema and its subschemas to `compiled`. */
  async #compileSchema(
    schema: JSONSchemaProps,
    stored: StoredExpressions,
    compiled: CompiledRules,
    cooperativeYield: CooperativeYield,
  ): Promise<void> {
    const reader = new this.#cel.JsonSchemaReader(this.#prefix);
    // Read first as the root, so that the reader caches its type with apiVersion, kind and metadata.
    reader.schemaType(schema as CelJsonSchema, 'selfType', true);
    const visit = async (subschema: JSONSchemaProps): Promise<void> => {
      const { validations } = extensionsOf(subschema, this.#names);
      const type =
        validations.length > 0 ? reader.schemaType(subschema as CelJsonSchema, 'selfType') : undefined;
      if (type) {
        compiled.addType(subschema, type);
        for (const rule of validations) {
          const yielding = cooperativeYield.next();
          if (yielding) await yielding;
          compiled.addRule(rule, this.#compileRule(rule, type, stored));
        }
      }
      for (const inner of childSchemas(subschema)) await visit(inner);
    };
    await visit(schema);
  }

  /** Defaults must satisfy the rules, both on create and on an update that does not change them. */
  async #checkDefaults(
    schema: JSONSchemaProps,
    evaluation: RuleEvaluation,
    compiled: CompiledRules,
  ): Promise<void> {
    const { default: value, items, properties = {} } = schema;
    if (value !== undefined && value !== null) {
      const visibleValue = withoutNullProperties(schema, JSON.parse(stringifyJson(value)));
      let errors = await evaluation.checkUnchanged(visibleValue, schema);
      if (errors.length === 0) errors = await evaluation.check(visibleValue, undefined, schema);
      if (errors.length > 0) compiled.addDefaultErrors(schema, errors);
    }
    if (items && !Array.isArray(items)) await this.#checkDefaults(items, evaluation, compiled);
    for (const name of Object.keys(properties).sort()) {
      await this.#checkDefaults(properties[name]!, evaluation, compiled);
    }
  }

  #compileRule(
    { rule, messageExpression = '', optionalOldSelf }: ValidationRule,
    type: SchemaType,
    stored: StoredExpressions,
  ): CompiledRule {
    const { variableFor, Issues } = this.#cel;
    const self = variableFor(type);
    const oldSelf = optionalOldSelf ? this.#optionalVariable(type) : self;
    const compile = (expression: string, isStored: boolean) =>
      (isStored ? this.#storedEnvironment : this.#newEnvironment)
        .extend({ self, oldSelf })
        .compile(expression);
    const program = compile(rule, stored.rules.has(rule));
    if (program instanceof Issues) {
      return invalidRule(`compilation failed: ${program.text}`);
    }
    if (program.type.kind !== 'bool') return invalidRule('cel expression must evaluate to a bool');
    return {
      rule: { program, cost: this.#estimateCost(program, type) },
      usesOldSelf: [...program.checked!.names.values()].includes('oldSelf'),
      message:
        messageExpression === ''
          ? undefined
          : this.#compiledMessage(compile(messageExpression, stored.messages.has(messageExpression)), type),
    };
  }

  #compiledMessage(program: ReturnType<Environment['compile']>, type: SchemaType): Expression {
    if (program instanceof this.#cel.Issues) {
      return { problem: `messageExpression compilation failed: ${program.text}` };
    }
    if (program.type.kind !== 'string') return { problem: 'messageExpression must evaluate to a string' };
    return { program, cost: this.#estimateCost(program, type) };
  }

  /** The variable `oldSelf` as a CEL optional, which is none for null. */
  #optionalVariable({ type, adapt }: SchemaType): Variable {
    const { types, CelOptional, fromJson } = this.#cel;
    return {
      type: types.optionalOf(type),
      adapt: (value) => (value === null ? CelOptional.none : new CelOptional((adapt ?? fromJson)(value))),
    };
  }

  #estimateCost(program: Program, type: SchemaType): number {
    return program.estimateCost(this.#cel.ruleSizes(type)).max;
  }
}

/** Rules do not see properties that are null. */
function withoutNullProperties(schema: JSONSchemaProps, value: JsonValue): JsonValue {
  const { properties, items, additionalProperties } = schema;
  if (Array.isArray(value)) {
    return items && !Array.isArray(items) ? value.map((item) => withoutNullProperties(items, item)) : value;
  }
  if (!isObject(value)) return value;
  const visibleValue = nullPrototypeObject<JsonValue>();
  for (const [key, member] of Object.entries(value)) {
    const isProperty = properties !== undefined && Object.hasOwn(properties, key);
    if (isProperty && member === null) continue;
    const inner = isProperty ? properties[key] : additionalProperties;
    visibleValue[key] = typeof inner === 'object' ? withoutNullProperties(inner, member) : member;
  }
  return visibleValue;
}

function invalidRule(problem: string): CompiledRule {
  return { rule: { problem }, usesOldSelf: false, message: undefined };
}
