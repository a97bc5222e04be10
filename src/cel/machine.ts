// CEL interpreter: the state of one evaluation, with its cost limit.
import { Interruption } from './errors.ts';
import type { Value } from './values.ts';

/** The variables of one evaluation, by their full names. Values are JSON, or what `values.ts` has beside it. */
export type Variables = Readonly<Record<string, unknown>>;

/** How many elements a macro goes over between two looks at whether to go on. */
const checkEvery = 100;
/** How many elements of lists may be copied in one evaluation. */
const mostCopied = 10_000_000;

/** The state of one evaluation. */
export class Machine {
  readonly variables: Variables;
  /** The most that the evaluation may cost. */
  readonly limit: number;
  cost = 0;
  /** The variables of macros. */
  readonly slots: Value[];
  readonly #isCancelled: (() => boolean) | undefined;
  #untilCheck = checkEvery;
  #copied = 0;

  constructor(variables: Variables, slots: number, limit: number, isCancelled?: () => boolean) {
    this.variables = variables;
    this.slots = slots === 0 ? noSlots : new Array(slots);
    this.limit = limit;
    this.#isCancelled = isCancelled;
  }

  /** Nothing more can be charged. */
  get isSpent(): boolean {
    return this.cost + 1 > this.limit;
  }

  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.limit) throw new Interruption('cost');
  }

  /** Called for lists that are put together: that costs 1 however long they are, and still takes memory and time. */
  copy(elements: number): void {
    this.#copied += elements;
    if (this.#copied > mostCopied) throw new Interruption('cost');
  }

  /** Called for each element that a macro goes over. */
  pass(): void {
    if (--this.#untilCheck > 0) return;
    this.#untilCheck = checkEvery;
    if (this.#isCancelled?.()) throw new Interruption('cancelled');
  }
}

const noSlots: Value[] = [];

/** A compiled expression. */
export type Step = (machine: Machine) => Value;
