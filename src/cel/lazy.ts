// CEL interpreter: lazily evaluated values of cel.bind.
import type { Machine, Step } from './machine.ts';
import { CelObject, type CelType, errorType } from './types.ts';
import type { Value } from './values.ts';

/**
 * The value of a `cel.bind` variable: evaluated once, on first use. Expressions never see it: the planner reads
 * `value` of the slot that holds it.
 */
export class Lazy extends CelObject {
  readonly #step: Step;
  #value: Value | undefined;

  constructor(step: Step) {
    super();
    this.#step = step;
  }

  override get type(): CelType {
    return errorType;
  }

  override equals(): boolean {
    return false;
  }

  value(machine: Machine): Value {
    if (this.#value === undefined) this.#value = this.#step(machine);
    return this.#value;
  }
}
