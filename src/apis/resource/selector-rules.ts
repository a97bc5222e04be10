import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { CelOnDemand } from '../../cel/on-demand.ts';
import { SelectorExpressions, type SelectorProblem } from '../../devices/selector-expressions.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { type FieldError, forbidden, invalid, required, tooLong, tooMany } from '../../errors/field-error.ts';
import type { DeviceSelector } from './device-parts.ts';

const maxSelectors = 32;
const maxExpression = 10 * 1024;

type Selectors = readonly DeviceSelector[] | undefined;
type Findings = Map<string, SelectorProblem | undefined>;

/** The rules for selectors of devices, over an engine that is loaded with the first of them. */
export class SelectorRules {
  readonly #expressions: CelOnDemand<SelectorExpressions>;
  /** What was found out about the expressions of an object before it is checked. */
  readonly #findings = new WeakMap<object, Findings>();

  constructor(dialect: Dialect) {
    this.#expressions = new CelOnDemand((cel) => new SelectorExpressions(cel, dialect.name));
  }

  /** Gets ready to check an object. `old`: the selectors in what it replaces. */
  load(object: object, selectors: Selectors, old: Selectors): Promise<void> | undefined {
    const expressions = compilable(selectors);
    if (expressions.size === 0) return undefined;
    return this.#load(object, expressions, compilable(old));
  }

  async #load(object: object, expressions: ReadonlySet<string>, old: ReadonlySet<string>): Promise<void> {
    await this.#expressions.load();
    const findings: Findings = new Map();
    const turns = new CooperativeYield();
    for (const expression of expressions) {
      const turn = turns.next();
      if (turn) await turn;
      findings.set(expression, this.#expressions.value.problemOf(expression, old.has(expression)));
    }
    this.#findings.set(object, findings);
  }

  /** What is wrong with selectors of an object that is loaded. */
  validate(object: object, selectors: Selectors, path: string): FieldError[] {
    if (!selectors) return [];
    const findings = this.#findings.get(object);
    const errors: FieldError[] = [];
    for (const [i, { cel }] of selectors.entries()) {
      const where = `${path}[${i}].cel.expression`;
      if (!cel) errors.push(required(`${path}[${i}].cel`));
      else if (Buffer.byteLength(cel.expression) > maxExpression) errors.push(tooLong(where, maxExpression));
      else {
        if (!findings?.has(cel.expression)) throw new Error(`${where} is checked before it is compiled`);
        const problem = findings.get(cel.expression);
        if (problem) errors.push(errorOf(problem, cel.expression, where));
      }
    }
    if (selectors.length > maxSelectors) errors.push(tooMany(path, selectors.length, maxSelectors));
    return errors;
  }
}

/** The different expressions that are not too long to be looked at. */
function compilable(selectors: Selectors = []): ReadonlySet<string> {
  return new Set(
    selectors.flatMap(({ cel }) =>
      cel && Buffer.byteLength(cel.expression) <= maxExpression ? [cel.expression] : [],
    ),
  );
}

function errorOf(problem: SelectorProblem, expression: string, path: string): FieldError {
  return 'invalid' in problem
    ? invalid(path, expression, problem.invalid)
    : forbidden(path, problem.tooComplex);
}
