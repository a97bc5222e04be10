// CustomResourceDefinition validation: compiles rules and validates a definition with cooperative yielding.
import { runTask } from '../../base/cooperative-yield.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { FieldError } from '../../errors/field-error.ts';
import type { TaskOwner } from '../../request/task-owner.ts';
import type { CustomResourceDefinition } from './customresourcedefinition-schema.ts';
import { PatternThread } from './pattern-thread.ts';
import { RuleCompiler } from './rule-compiler.ts';
import { validateDefinition, validateDefinitionChange } from './validation.ts';

/** Validates definitions in small steps, because schemas, rules and patterns may be large. */
export class DefinitionChecks {
  readonly #dialect: Dialect;
  readonly #rules: RuleCompiler;
  readonly #patternThread = new PatternThread();
  /** The results of `load`. */
  readonly #errors = new WeakMap<CustomResourceDefinition, readonly FieldError[]>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#rules = new RuleCompiler(dialect);
  }

  /** The validation errors of a definition, after `load` has completed. */
  errorsOf(object: CustomResourceDefinition): readonly FieldError[] {
    const errors = this.#errors.get(object);
    if (!errors) throw new Error('the definition has not been loaded');
    return errors;
  }

  /** Validates a definition; `errorsOf` then returns the result. Undefined if it completed at once. */
  load(
    object: CustomResourceDefinition,
    old?: CustomResourceDefinition,
    owner?: TaskOwner,
  ): Promise<void> | undefined {
    const compiling = this.#rules.load(object, old);
    if (compiling) return compiling.then(() => this.#check(object, old, owner));
    return this.#check(object, old, owner);
  }

  #check(
    object: CustomResourceDefinition,
    old: CustomResourceDefinition | undefined,
    owner: TaskOwner | undefined,
  ): Promise<void> | undefined {
    const options = {
      dialect: this.#dialect,
      rules: this.#rules.rulesOf(object),
      patternThread: this.#patternThread,
      owner,
    };
    const result = runTask(
      old ? validateDefinitionChange(object, old, options) : validateDefinition(object, options),
    );
    if (result instanceof Promise) return result.then((errors) => void this.#errors.set(object, errors));
    this.#errors.set(object, result);
    return undefined;
  }
}
