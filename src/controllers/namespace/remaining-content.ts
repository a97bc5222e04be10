// namespace-controller: what remains in a terminating namespace after its content was deleted once, because finalizers or
// grace periods hold it.
import type { ErrorSubject } from '../../errors/catalogue.ts';
import type { ObjectMetadata } from '../../kind/api-object.ts';

export interface RemainingContent {
  readonly resources: readonly RemainingObjects[];
  /** Errors of deletions. */
  readonly failures: readonly Error[];
  /** Group versions of aggregated APIs whose discovery failed. */
  readonly undiscovered: readonly string[];
}

/** The remaining objects of one resource. */
export interface RemainingObjects {
  readonly subject: ErrorSubject;
  readonly count: number;
  /** Number of objects by finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** How long the objects may take to terminate: the longest grace period; 0 if nothing is known to hold them. */
  readonly estimateSeconds: number;
}

/** Assumed time for a controller to remove its finalizer. */
const finalizerSeconds = 15;

/** Collects the metadata of the remaining objects of one resource. */
export class RemainingCounter {
  readonly #finalizers = new Map<string, number>();
  #count = 0;
  #maxGracePeriodSeconds = 0;

  add({ deletionGracePeriodSeconds = 0, finalizers = [] }: Partial<ObjectMetadata> = {}): void {
    this.#count++;
    this.#maxGracePeriodSeconds = Math.max(this.#maxGracePeriodSeconds, deletionGracePeriodSeconds);
    for (const name of finalizers) this.#finalizers.set(name, (this.#finalizers.get(name) ?? 0) + 1);
  }

  /** Returns undefined if no objects remain. */
  summarize(subject: ErrorSubject): RemainingObjects | undefined {
    if (this.#count === 0) return undefined;
    const waitsOnlyForFinalizers = this.#maxGracePeriodSeconds === 0 && this.#finalizers.size > 0;
    const estimateSeconds = waitsOnlyForFinalizers ? finalizerSeconds : this.#maxGracePeriodSeconds;
    return { subject, count: this.#count, finalizers: this.#finalizers, estimateSeconds };
  }
}
