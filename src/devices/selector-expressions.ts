// Dynamic resource allocation: compiles and evaluates the CEL expressions of device selectors.
import type { Device, Environment, Issues, Program } from '../cel/index.ts';
import type { Cel } from '../cel/on-demand.ts';

/** The cost limit of an expression: estimated on write, and at runtime. */
const costLimit = 1_000_000;

/** An expression that does not compile, or whose estimated cost exceeds the limit. */
export type SelectorProblem = { readonly invalid: string } | { readonly tooComplex: string };

/** The result for one device, or the evaluation error. */
export type SelectorResult = { readonly matches: boolean } | { readonly problem: string };

export class SelectorExpressions {
  readonly #cel: Cel;
  /** New expressions may only use functions of the previous release, so that a rollback can evaluate them. */
  readonly #newEnvironment: Environment;
  readonly #storedEnvironment: Environment;
  readonly #programs;

  constructor(cel: Cel, serviceName: string) {
    const variables = { device: cel.variableFor(cel.deviceSchema) };
    const createEnvironment = (minor?: number) =>
      cel
        .createEnvironment({ serviceName, forDevices: true, ...(minor !== undefined && { minor }) })
        .extend(variables);
    this.#cel = cel;
    this.#newEnvironment = createEnvironment(cel.compatibleMinor);
    this.#storedEnvironment = createEnvironment();
    this.#programs = new cel.ProgramCache();
  }

  /** Returns undefined for a valid expression. `isStored`: the object had the expression before this write. */
  findProblem(expression: string, { isStored }: { readonly isStored: boolean }): SelectorProblem | undefined {
    const environment = isStored ? this.#storedEnvironment : this.#newEnvironment;
    const compiled = environment.compile(expression);
    const invalid = this.#compileProblem(environment, compiled);
    if (invalid !== undefined) return { invalid };
    const { max } = (compiled as Program).estimateCost(this.#cel.deviceSizes);
    return max > costLimit ? { tooComplex: 'too complex, exceeds cost limit' } : undefined;
  }

  /** Evaluates a stored expression for a device. */
  evaluate(expression: string, device: Device): SelectorResult {
    const compiled = this.#programs.compile(this.#storedEnvironment, expression);
    const invalid = this.#compileProblem(this.#storedEnvironment, compiled);
    if (invalid !== undefined) return { problem: invalid };
    const result = (compiled as Program).evaluate({ device }, { costLimit });
    if ('problem' in result) return { problem: result.problem };
    const { value } = result;
    return typeof value === 'boolean'
      ? { matches: value }
      : { problem: 'the result is neither true nor false' };
  }

  #compileProblem(environment: Environment, compiled: Program | Issues): string | undefined {
    if (compiled instanceof this.#cel.Issues) return `compilation failed: ${compiled.text}`;
    const { type } = compiled;
    if (type.kind === 'bool' || type.kind === 'any') return undefined;
    return `must evaluate to bool or the unknown type, not ${environment.formatTypeName(type)}`;
  }
}
