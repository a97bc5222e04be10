// Custom resource validation: a budget of steps, with cooperative yielding.
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { badRequest } from '../../errors/catalogue.ts';
import type { FieldError } from '../../errors/field-error.ts';

/** How many steps it may take to check one object: some seconds, of which no other request notices much. */
const mostSteps = 10_000_000;
/** Steps between two looks at the clock. */
const stride = 64;
/** Validation stops after this many errors. */
const mostErrors = 10_000;

/** The steps spent on validating one object, bounded whatever its schema says. */
export class CostBudget {
  readonly #turns = new CooperativeYield();
  #taken = 0;
  #lookAt = stride;

  /** Counts steps. To be waited for where it is not undefined. Throws where the object takes too many. */
  spend(steps = 1): Promise<void> | undefined {
    this.#taken += steps;
    if (this.#taken < this.#lookAt) return undefined;
    if (this.#taken > mostSteps) throw badRequest('checking the object against its schema takes too long');
    this.#lookAt = this.#taken + stride;
    return this.#turns.next();
  }
}

/** Whether so much is wrong that nothing more need be found. */
export const isEnough = (errors: readonly FieldError[]) => errors.length >= mostErrors;
