// Custom resource validation: compiles the x-validations rules of a definition.
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import type { Environment, JsonSchema, Program, SchemaType, Variable } from '../../cel/index.ts';
import { type Cel, CelOnDemand } from '../../cel/on-demand.ts';
import { isObject, type JsonValue, nullPrototypeObject } from '../../codec/json/json-value.ts';
import { stringifyJson } from '../../codec/json/stringify.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { type CompiledRule, CompiledRules, type Expression } from './compiled-rules.ts';
import type { CustomResourceDefinition } from './customresourcedefinition-schema.ts';
import {
  type ExtensionNames,
  extensionNames,
  extensionsOf,
  innerOf,
  type JSONSchemaProps,
  someInner,
  type ValidationRule,
} from './json-schema.ts';
import { costPerObject, RuleEvaluation } from './rule-evaluation.ts';
import { commonParts } from './version-validation.ts';

/** Of a definition, what its rules are in. */
interface Described {
  readonly spec: Pick<CustomResourceDefinition['spec'], 'versions'>;
}

const none = new CompiledRules();

/** Compiles the rules of definitions, bit by bit, before these are checked. */
export class RuleCompiler {
  readonly #names: ExtensionNames;
  readonly #compiling: CelOnDemand<Compiling>;
  readonly #compiled = new WeakMap<Described, CompiledRules>();

  constructor(dialect: Dialect) {
    this.#names = extensionNames(dialect);
    this.#compiling = new CelOnDemand((cel) => new Compiling(cel, dialect));
  }

  /** Of a definition that was loaded. */
  of(object: Described): CompiledRules {
    return this.#compiled.get(object) ?? none;
  }

  load(object: Described, old?: Described): Promise<void> | undefined {
    const { versions = [] } = object.spec;
    return schemasOf(versions).some((schema) => this.#hasRules(schema)) ? this.#load(object, old) : undefined;
  }

  #hasRules(schema: JSONSchemaProps): boolean {
    return (
      extensionsOf(schema, this.#names).validations.length > 0 ||
      someInner(schema, (inner) => this.#hasRules(inner))
    );
  }

  async #load(object: Described, old: Described | undefined): Promise<void> {
    await this.#compiling.load();
    const before = { rules: new Set<string>(), messages: new Set<string>() };
    for (const schema of schemasOf(old?.spec.versions)) this.#gather(schema, before);
    const { versions = [] } = object.spec;
    // One is looked at of all versions that have the same.
    const looked = commonParts(versions, false).has('schema') ? versions.slice(0, 1) : versions;
    this.#compiled.set(object, await this.#compiling.value.compile(schemasOf(looked), before));
  }

  #gather(schema: JSONSchemaProps, before: Before): void {
    for (const { rule, messageExpression } of extensionsOf(schema, this.#names).validations) {
      before.rules.add(rule);
      if (messageExpression) before.messages.add(messageExpression);
    }
    for (const inner of innerOf(schema)) this.#gather(inner, before);
  }
}

/** The expressions that were there before. */
interface Before {
  readonly rules: Set<string>;
  readonly messages: Set<string>;
}

function schemasOf(versions: CustomResourceDefinition['spec']['versions'] = []): JSONSchemaProps[] {
  return versions.map(({ schema }) => schema?.openAPIV3Schema).filter((schema) => schema !== undefined);
}

/** The cost limit of evaluating rules on the defaults of all versions. */
const costOfDefaults = 10 * costPerObject;

class Compiling {
  readonly #cel: Cel;
  readonly #prefix: string;
  readonly #names: ExtensionNames;
  /** New rules may only use what the previous release has, too; stored rules may use everything. */
  readonly #written: Environment;
  readonly #stored: Environment;

  constructor(cel: Cel, dialect: Dialect) {
    const serviceName = dialect.name;
    this.#cel = cel;
    this.#prefix = dialect.extensionPrefix;
    this.#names = extensionNames(dialect);
    this.#written = cel.environmentOf({ serviceName, minor: cel.compatibleMinor });
    this.#stored = cel.environmentOf({ serviceName });
  }

  async compile(schemas: readonly JSONSchemaProps[], before: Before): Promise<CompiledRules> {
    const compiled = new CompiledRules(this.#cel);
    const turns = new CooperativeYield();
    let left = costOfDefaults;
    for (const schema of schemas) {
      const reader = new this.#cel.JsonSchemaReader(this.#prefix);
      reader.read(schema as JsonSchema, 'selfType', true);
      const visit = async (place: JSONSchemaProps): Promise<void> => {
        const { validations } = extensionsOf(place, this.#names);
        const type = validations.length > 0 ? reader.read(place as JsonSchema, 'selfType') : undefined;
        if (type) {
          compiled.add(place, type);
          for (const rule of validations) {
            const turn = turns.next();
            if (turn) await turn;
            compiled.addRule(rule, this.#compileRule(rule, type, before));
          }
        }
        for (const inner of innerOf(place)) await visit(inner);
      };
      await visit(schema);
      const budget = Math.min(costPerObject, left);
      const evaluation = new RuleEvaluation(compiled, this.#names, turns, {
        budget,
        forgivesUnchanged: false,
      });
      await this.#checkDefaults(schema, evaluation, compiled);
      left -= budget - evaluation.left;
    }
    return compiled;
  }

  /** Defaults keep the rules, both as values that are new and as values that stay. */
  async #checkDefaults(
    schema: JSONSchemaProps,
    evaluation: RuleEvaluation,
    compiled: CompiledRules,
  ): Promise<void> {
    const { default: value, items, properties = {} } = schema;
    if (value !== undefined && value !== null) {
      const seen = seenThrough(schema, JSON.parse(stringifyJson(value)));
      let errors = await evaluation.checkStaying(seen, schema);
      if (errors.length === 0) errors = await evaluation.check(seen, undefined, schema);
      if (errors.length > 0) compiled.addBroken(schema, errors);
    }
    if (items && !Array.isArray(items)) await this.#checkDefaults(items, evaluation, compiled);
    for (const name of Object.keys(properties).sort()) {
      await this.#checkDefaults(properties[name]!, evaluation, compiled);
    }
  }

  #compileRule(
    { rule, messageExpression = '', optionalOldSelf }: ValidationRule,
    type: SchemaType,
    before: Before,
  ): CompiledRule {
    const { variableFor, Issues } = this.#cel;
    const self = variableFor(type);
    const oldSelf = optionalOldSelf ? this.#optional(type) : self;
    const compile = (expression: string, isStored: boolean) =>
      (isStored ? this.#stored : this.#written).extend({ self, oldSelf }).compile(expression);
    const program = compile(rule, before.rules.has(rule));
    if (program instanceof Issues) {
      return wrong(`compilation failed: ${program.text}`);
    }
    if (program.type.kind !== 'bool') return wrong('cel expression must evaluate to a bool');
    return {
      rule: { program, cost: this.#costOf(program, type) },
      usesOldSelf: [...program.checked!.names.values()].includes('oldSelf'),
      message:
        messageExpression === ''
          ? undefined
          : this.#message(compile(messageExpression, before.messages.has(messageExpression)), type),
    };
  }

  #message(program: ReturnType<Environment['compile']>, type: SchemaType): Expression {
    if (program instanceof this.#cel.Issues) {
      return { problem: `messageExpression compilation failed: ${program.text}` };
    }
    if (program.type.kind !== 'string') return { problem: 'messageExpression must evaluate to a string' };
    return { program, cost: this.#costOf(program, type) };
  }

  /** A variable that holds nothing where it is given null. */
  #optional({ type, adapt }: SchemaType): Variable {
    const { types, Optional, fromJson } = this.#cel;
    return {
      type: types.optionalOf(type),
      adapt: (given) => (given === null ? Optional.none : new Optional((adapt ?? fromJson)(given))),
    };
  }

  #costOf(program: Program, type: SchemaType): number {
    return program.estimateCost(this.#cel.ruleSizes(type)).max;
  }
}

/** A property that is null is not there for rules. */
function seenThrough(schema: JSONSchemaProps, value: JsonValue): JsonValue {
  const { properties, items, additionalProperties } = schema;
  if (Array.isArray(value)) {
    return items && !Array.isArray(items) ? value.map((item) => seenThrough(items, item)) : value;
  }
  if (!isObject(value)) return value;
  const seen = nullPrototypeObject<JsonValue>();
  for (const [key, member] of Object.entries(value)) {
    const isProperty = properties !== undefined && Object.hasOwn(properties, key);
    if (isProperty && member === null) continue;
    const inner = isProperty ? properties[key] : additionalProperties;
    seen[key] = typeof inner === 'object' ? seenThrough(inner, member) : member;
  }
  return seen;
}

function wrong(problem: string): CompiledRule {
  return { rule: { problem }, usesOldSelf: false, message: undefined };
}
