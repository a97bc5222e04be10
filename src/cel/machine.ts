// CEL interpreter: the state of one evaluation, with its cost limit.
import { Interruption } from './errors.ts';
import type { Value } from './values.ts';

/** Variables by qualified name. The values are JSON or CEL values. */
export type Variables = Readonly<Record<string, unknown>>;

/** Number of comprehension iterations between two checks for cancellation. */
const checkIntervalElements = 100;
/** Limit of list elements that one evaluation may copy. */
const maxCopiedElements = 10_000_000;

export class Machine {
  readonly variables: Variables;
  readonly costLimit: number;
  cost = 0;
  /** Values of comprehension variables. */
  readonly slots: Value[];
  readonly #isCancelled: (() => boolean) | undefined;
  #elementsUntilCheck = checkIntervalElements;
  #copiedElements = 0;

  constructor(variables: Variables, slotCount: number, costLimit: number, isCancelled?: () => boolean) {
    this.variables = variables;
    this.slots = slotCount === 0 ? noSlots : new Array(slotCount);
    this.costLimit = costLimit;
    this.#isCancelled = isCancelled;
  }

  get isBudgetExhausted(): boolean {
    return this.cost + 1 > this.costLimit;
  }

  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.costLimit) throw new Interruption('cost');
  }

  /**
   * Called when lists are concatenated: the CEL cost of that is 1, but it takes memory and time in proportion to
   * their length.
   */
  countCopied(elements: number): void {
    this.#copiedElements += elements;
    if (this.#copiedElements > maxCopiedElements) throw new Interruption('cost');
  }

  /** Called for each iteration of a comprehension. */
  countIteration(): void {
    if (--this.#elementsUntilCheck > 0) return;
    this.#elementsUntilCheck = checkIntervalElements;
    if (this.#isCancelled?.()) throw new Interruption('cancelled');
  }
}

const noSlots: Value[] = [];

/** A planned expression: a closure that evaluates it. */
export type Step = (machine: Machine) => Value;
