import type { ErrorSubject } from '../../errors/catalogue.ts';
import type { ObjectMeta } from '../../kind/api-object.ts';

/** What is left in a namespace that has been told to go. */
export interface RemainingContent {
  readonly resources: readonly RemainingObjects[];
  /** Why what should be gone is not. */
  readonly failures: readonly Error[];
  /** The group versions of other servers of which nobody can say now what they have there. */
  readonly undiscovered: readonly string[];
}

export interface RemainingObjects {
  readonly subject: ErrorSubject;
  readonly count: number;
  /** How many each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** How long what is left may take to end by itself. */
  readonly estimateSeconds: number;
}

/** Who takes care of a finalizer takes about so long. */
const finalizerSeconds = 15;

/** Counts the objects of a kind that are left in a namespace. */
export class RemainingCounter {
  readonly #finalizers = new Map<string, number>();
  #count = 0;
  #seconds = 0;

  add({ deletionGracePeriodSeconds = 0, finalizers = [] }: Partial<ObjectMeta> = {}): void {
    this.#count++;
    this.#seconds = Math.max(this.#seconds, deletionGracePeriodSeconds);
    for (const name of finalizers) this.#finalizers.set(name, (this.#finalizers.get(name) ?? 0) + 1);
  }

  /** Undefined where there are none. */
  of(subject: ErrorSubject): RemainingObjects | undefined {
    if (this.#count === 0) return undefined;
    const waits = this.#seconds === 0 && this.#finalizers.size > 0;
    const estimateSeconds = waits ? finalizerSeconds : this.#seconds;
    return { subject, count: this.#count, finalizers: this.#finalizers, estimateSeconds };
  }
}
