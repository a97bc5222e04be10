// CEL evaluation errors.

/**
 * An evaluation error such as that of `1 / 0`. It is not an Error, since it is thrown and caught in ordinary evaluation
 * (`1 / 0 > 1 || true` is true), and a stack trace would take most of the time.
 */
export class EvaluationError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** The evaluation exceeded its cost limit or was cancelled; `||` and `&&` do not absorb it. */
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
  throw new EvaluationError(message);
}

export function noSuchOverload(): never {
  throw new EvaluationError('no such overload');
}
