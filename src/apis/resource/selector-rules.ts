// DRA (dynamic resource allocation): validation of the CEL expressions of device selectors. Compiling is asynchronous
// and runs in the strategy's `load` hook; the synchronous `validate` hook reads its results.

import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { CelOnDemand } from '../../cel/on-demand.ts';
import { SelectorExpressions, type SelectorProblem } from '../../devices/selector-expressions.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { type FieldError, forbidden, invalid, required, tooLong, tooMany } from '../../errors/field-error.ts';
import type { DeviceSelector } from './device-parts.ts';

const maxSelectors = 32;
const maxExpressionBytes = 10 * 1024;

type Selectors = readonly DeviceSelector[] | undefined;
type CompileResults = Map<string, SelectorProblem | undefined>;

/** Validates device selectors. The CEL engine is loaded lazily, with the first expression. */
export class SelectorValidator {
  readonly #expressions: CelOnDemand<SelectorExpressions>;
  /** Compilation results by object: `load` sets them before `validate` reads them. */
  readonly #results = new WeakMap<object, CompileResults>();

  constructor(dialect: Dialect) {
    this.#expressions = new CelOnDemand((cel) => new SelectorExpressions(cel, dialect.name));
  }

  /**
   * Compiles the expressions of an object; `validate` reads the results. Expressions that the stored object has already
   * (`old`) are compiled in the CEL environment for stored expressions.
   */
  load(object: object, selectors: Selectors, old: Selectors): Promise<void> | undefined {
    const expressions = distinctExpressions(selectors);
    if (expressions.size === 0) return undefined;
    return this.#load(object, expressions, distinctExpressions(old));
  }

  async #load(object: object, expressions: ReadonlySet<string>, old: ReadonlySet<string>): Promise<void> {
    await this.#expressions.load();
    const results: CompileResults = new Map();
    const cooperativeYield = new CooperativeYield();
    for (const expression of expressions) {
      const yielding = cooperativeYield.next();
      if (yielding) await yielding;
      const isStored = old.has(expression);
      results.set(expression, this.#expressions.value.findProblem(expression, { isStored }));
    }
    this.#results.set(object, results);
  }

  /** Validates selectors. Requires that `load` has been called with the object. */
  validate(object: object, selectors: Selectors, path: string): FieldError[] {
    if (!selectors) return [];
    const results = this.#results.get(object);
    const errors: FieldError[] = [];
    for (const [i, { cel }] of selectors.entries()) {
      const fieldPath = `${path}[${i}].cel.expression`;
      if (!cel) errors.push(required(`${path}[${i}].cel`));
      else if (Buffer.byteLength(cel.expression) > maxExpressionBytes)
        errors.push(tooLong(fieldPath, maxExpressionBytes));
      else {
        if (!results?.has(cel.expression)) throw new Error(`${fieldPath} is checked before it is compiled`);
        const problem = results.get(cel.expression);
        if (problem) errors.push(selectorError(problem, cel.expression, fieldPath));
      }
    }
    if (selectors.length > maxSelectors) errors.push(tooMany(path, selectors.length, maxSelectors));
    return errors;
  }
}

/** The distinct expressions, without those that exceed the length limit. */
function distinctExpressions(selectors: Selectors = []): ReadonlySet<string> {
  return new Set(
    selectors.flatMap(({ cel }) =>
      cel && Buffer.byteLength(cel.expression) <= maxExpressionBytes ? [cel.expression] : [],
    ),
  );
}

/** An expression that does not compile is invalid, one that is too expensive is forbidden. */
function selectorError(problem: SelectorProblem, expression: string, path: string): FieldError {
  return 'invalid' in problem
    ? invalid(path, expression, problem.invalid)
    : forbidden(path, problem.tooComplex);
}
