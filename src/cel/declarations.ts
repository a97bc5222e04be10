// CEL function declarations: overloads with types, cost and implementation.
import type { CallCost, RuntimeCost } from './cost/call-cost.ts';
import { nominal } from './cost/models.ts';
import type { Macro } from './macros.ts';
import { type CelType, parseType, splitTopLevelCommas } from './types.ts';
import type { Value } from './values.ts';

export interface Overload {
  readonly id: string;
  readonly isMember: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
  readonly hasTypeParams: boolean;
  readonly cost: CallCost;
  /** Absent for operators and functions that the planner implements. */
  readonly call?: (...args: never[]) => Value;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

export interface Library {
  readonly functions: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
}

/**
 * Declares overloads by a signature: `add('size', 'size_list', 'list(A) -> int', cost)`. An id that starts with a dot
 * declares a member function, `list.size()`, whose first argument is the target; the dot is not part of the id.
 */
export class LibraryBuilder {
  readonly #types: ReadonlyMap<string, CelType>;
  readonly #functions = new Map<string, Overload[]>();

  /** The types of the library, which signatures name by the last part: `Quantity` is `service.Quantity`. */
  constructor(...types: readonly CelType[]) {
    this.#types = new Map(types.map((type) => [type.name.slice(type.name.lastIndexOf('.') + 1), type]));
  }

  add(name: string, id: string, signature: string, cost: CallCost, call?: (...args: never[]) => Value): this {
    const [args, result] = signature.split('->');
    const overload: Overload = {
      id: id.startsWith('.') ? id.slice(1) : id,
      isMember: id.startsWith('.'),
      args: splitTopLevelCommas(args!).map((arg) => parseType(arg, this.#types)),
      result: parseType(result!, this.#types),
      hasTypeParams: /\b[A-Z]\b/.test(signature),
      cost,
      ...(call && { call }),
    };
    const overloads = this.#functions.get(name);
    if (overloads) overloads.push(overload);
    else this.#functions.set(name, [overload]);
    return this;
  }

  library(macros: readonly Macro[] = []): Library {
    return {
      functions: [...this.#functions].map(([name, overloads]) => ({ name, overloads })),
      macros,
    };
  }
}

/**
 * The runtime cost of a call that may resolve to any of these overloads; undefined for one unit, which is also the cost if
 * the overloads have different costs.
 */
export function runtimeCostOf(overloads: readonly Overload[]): RuntimeCost | undefined {
  const cost = overloads[0]?.cost;
  const isNominal = cost === undefined || cost.runtime === nominal.runtime;
  return isNominal || overloads.some((overload) => overload.cost !== cost) ? undefined : cost.runtime;
}
