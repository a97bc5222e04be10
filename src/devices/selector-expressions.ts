// Dynamic resource allocation: compiles CEL device selectors.
import type { Device, Environment, Issues, Program } from '../cel/index.ts';
import type { Cel } from '../cel/on-demand.ts';

/** The cost limit of an expression: estimated on write, and at runtime. */
const costLimit = 1_000_000;

/** Why an expression cannot select devices: it is wrong, or takes too much. */
export type SelectorProblem = { readonly invalid: string } | { readonly tooComplex: string };

/** Whether a device fits, or why that cannot be said. */
export type SelectorResult = { readonly fits: boolean } | { readonly problem: string };

/** Compiles and evaluates the expressions that select devices. */
export class SelectorExpressions {
  readonly #cel: Cel;
  /** New expressions may only use what the previous release has, too; stored ones may use everything. */
  readonly #written: Environment;
  readonly #stored: Environment;
  readonly #programs;

  constructor(cel: Cel, serviceName: string) {
    const variables = { device: cel.variableFor(cel.deviceSchema) };
    const environmentOf = (minor?: number) =>
      cel
        .environmentOf({ serviceName, forDevices: true, ...(minor !== undefined && { minor }) })
        .extend(variables);
    this.#cel = cel;
    this.#written = environmentOf(cel.compatibleMinor);
    this.#stored = environmentOf();
    this.#programs = new cel.ProgramCache();
  }

  /** The error of an expression. `isStored`: the old object has it already. */
  problemOf(expression: string, isStored: boolean): SelectorProblem | undefined {
    const environment = isStored ? this.#stored : this.#written;
    const compiled = environment.compile(expression);
    const invalid = this.#problemOf(environment, compiled);
    if (invalid !== undefined) return { invalid };
    const { max } = (compiled as Program).estimateCost(this.#cel.deviceSizes);
    return max > costLimit ? { tooComplex: 'too complex, exceeds cost limit' } : undefined;
  }

  /** Whether a device fits an expression that is stored. */
  select(expression: string, device: Device): SelectorResult {
    const compiled = this.#programs.compile(this.#stored, expression);
    const invalid = this.#problemOf(this.#stored, compiled);
    if (invalid !== undefined) return { problem: invalid };
    const result = (compiled as Program).evaluate({ device }, { costLimit });
    if ('problem' in result) return { problem: result.problem };
    const { value } = result;
    return typeof value === 'boolean' ? { fits: value } : { problem: 'the result is neither true nor false' };
  }

  #problemOf(environment: Environment, compiled: Program | Issues): string | undefined {
    if (compiled instanceof this.#cel.Issues) return `compilation failed: ${compiled.text}`;
    const { type } = compiled;
    if (type.kind === 'bool' || type.kind === 'any') return undefined;
    return `must evaluate to bool or the unknown type, not ${environment.nameOf(type)}`;
  }
}
