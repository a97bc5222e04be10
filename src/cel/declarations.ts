// CEL function declarations: overloads with types, cost and implementation.
import type { CallCost, RuntimeCost } from './cost/call-cost.ts';
import { nominal } from './cost/models.ts';
import type { Macro } from './macros.ts';
import { type CelType, readType, splitTypes } from './types.ts';
import type { Value } from './values.ts';

/** One way of calling a function. */
export interface Overload {
  readonly id: string;
  readonly isMember: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
  readonly hasTypeParams: boolean;
  readonly cost: CallCost;
  /** Left out where the planner knows what to do. */
  readonly call?: (...args: never[]) => Value;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

/** Functions and macros that belong together. */
export interface Library {
  readonly functions: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
}

/** Declares overloads of functions from short texts: `['size', 'size_list', 'list(A) -> int']`; `.list_size` is a member's. */
export class LibraryBuilder {
  readonly #named: ReadonlyMap<string, CelType>;
  readonly #functions = new Map<string, Overload[]>();

  constructor(...named: readonly CelType[]) {
    this.#named = new Map(named.map((type) => [type.name.slice(type.name.lastIndexOf('.') + 1), type]));
  }

  add(name: string, id: string, signature: string, cost: CallCost, call?: (...args: never[]) => Value): this {
    const [args, result] = signature.split('->');
    const overload: Overload = {
      id: id.startsWith('.') ? id.slice(1) : id,
      isMember: id.startsWith('.'),
      args: splitTypes(args!).map((arg) => readType(arg, this.#named)),
      result: readType(result!, this.#named),
      hasTypeParams: /\b[A-Z]\b/.test(signature),
      cost,
      ...(call && { call }),
    };
    const known = this.#functions.get(name);
    if (known) known.push(overload);
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

/** The runtime cost of a call that may resolve to any of these overloads at runtime; undefined where it is one unit. */
export function runtimeCostOf(overloads: readonly Overload[]): RuntimeCost | undefined {
  const cost = overloads[0]?.cost;
  const isNominal = cost === undefined || cost.runtime === nominal.runtime;
  return isNominal || overloads.some((other) => other.cost !== cost) ? undefined : cost.runtime;
}
