// CEL evaluation errors.

/**
 * An expression that could not be evaluated, such as `1 / 0`. Not an Error: it is thrown and caught in ordinary
 * evaluation (`1 / 0 > 1 || true` is true), and a stack trace would cost more than the rest.
 */
export class EvaluationProblem {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** The evaluation was stopped from outside, and no `||` makes up for that. */
export class Interruption {
  readonly message: string;
  readonly reason: 'cost' | 'cancelled';

  constructor(reason: 'cost' | 'cancelled') {
    this.reason = reason;
    this.message =
      reason === 'cost' ? 'operation cancelled: actual cost limit exceeded' : 'operation interrupted';
  }
}

export function fail(message: string): never {
  throw new EvaluationProblem(message);
}

export function noSuchOverload(): never {
  throw new EvaluationProblem('no such overload');
}
