// Custom resource validation: a budget of steps, with cooperative yielding.
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { badRequest } from '../../errors/catalogue.ts';
import type { FieldError } from '../../errors/field-error.ts';
import type { TaskOwner } from '../../request/task-owner.ts';

/** The maximum number of steps for validating one object, which take some seconds. */
const maxSteps = 10_000_000;
/** Steps between two checks of the clock. */
const stepsPerClockCheck = 64;
/** Validation stops after this many errors. */
const maxErrors = 10_000;

/** Counts the steps of validating one object, and bounds them for any schema. */
export class CostBudget {
  /** The request that validates the object; undefined for a write of the server itself. */
  readonly owner: TaskOwner | undefined;
  readonly #cooperativeYield = new CooperativeYield();
  #spent = 0;
  #nextClockCheck = stepsPerClockCheck;

  constructor(owner?: TaskOwner) {
    this.owner = owner;
  }

  /** Adds steps. Callers await the promise, if any, to yield to the event loop. Throws BadRequest above the maximum. */
  spend(steps = 1): Promise<void> | undefined {
    this.#spent += steps;
    if (this.#spent < this.#nextClockCheck) return undefined;
    if (this.#spent > maxSteps) throw badRequest('checking the object against its schema takes too long');
    this.#nextClockCheck = this.#spent + stepsPerClockCheck;
    return this.#cooperativeYield.next();
  }
}

/** Whether validation can stop, because it has found the maximum number of errors. */
export const hasMaxErrors = (errors: readonly FieldError[]) => errors.length >= maxErrors;
