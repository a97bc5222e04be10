// CustomResourceDefinition validation: compiles rules and validates a definition with cooperative yielding.
import { runWork } from '../../base/cooperative-yield.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { FieldError } from '../../errors/field-error.ts';
import type { CustomResourceDefinition } from './customresourcedefinition-schema.ts';
import { PatternThread } from './pattern-thread.ts';
import { RuleCompiler } from './rule-compiler.ts';
import { validateDefinition, validateDefinitionChange } from './validation.ts';

/** Checks definitions bit by bit, for a schema may be large, and its rules and patterns many. */
export class DefinitionChecks {
  readonly #dialect: Dialect;
  readonly #rules: RuleCompiler;
  readonly #patternThread = new PatternThread();
  readonly #found = new WeakMap<CustomResourceDefinition, readonly FieldError[]>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#rules = new RuleCompiler(dialect);
  }

  /** The validation errors of a definition that was loaded. */
  of(object: CustomResourceDefinition): readonly FieldError[] {
    const found = this.#found.get(object);
    if (!found) throw new Error('a definition is judged before it is checked');
    return found;
  }

  load(object: CustomResourceDefinition, old?: CustomResourceDefinition): Promise<void> | undefined {
    const compiling = this.#rules.load(object, old);
    if (compiling) return compiling.then(() => this.#check(object, old));
    return this.#check(object, old);
  }

  #check(object: CustomResourceDefinition, old?: CustomResourceDefinition): Promise<void> | undefined {
    const terms = {
      dialect: this.#dialect,
      rules: this.#rules.of(object),
      patternThread: this.#patternThread,
    };
    const found = runWork(
      old ? validateDefinitionChange(object, old, terms) : validateDefinition(object, terms),
    );
    if (found instanceof Promise) return found.then((errors) => void this.#found.set(object, errors));
    this.#found.set(object, found);
    return undefined;
  }
}
