// Expectations: the creations and deletions of children that a controller has requested and its informer has not shown yet
// (upstream: UIDTrackingControllerExpectations). While there are any, the informer may be behind, and the controller must not count
// its children.
import type { Clock } from '../../base/clock.ts';

/** An expectation that was not met by then is given up: the event is lost, or will never come. */
const timeoutMs = 5 * 60_000;

interface Expected {
  creations: number;
  /** Keys of children. */
  readonly deletions: Set<string>;
  readonly sinceMonotonicMs: number;
}

/** By uid of the owner, so that an owner that is created again under the same name starts without expectations. */
export class Expectations {
  readonly #clock: Clock;
  readonly #byOwner = new Map<string, Expected>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  expectCreations(owner: string, creations: number): void {
    this.expect(owner, creations, []);
  }

  /** `children` are keys. */
  expectDeletions(owner: string, children: readonly string[]): void {
    this.expect(owner, 0, children);
  }

  /** Creations and deletions; `children` are the keys of the deleted ones. */
  expect(owner: string, creations: number, children: readonly string[]): void {
    const sinceMonotonicMs = this.#clock.elapsed();
    this.#byOwner.set(owner, { creations, deletions: new Set(children), sinceMonotonicMs });
  }

  /** The informer has shown a new child, or its creation has failed. */
  creationObserved(owner: string): void {
    const expected = this.#byOwner.get(owner);
    if (!expected) return;
    expected.creations -= 1;
    this.#removeIfMet(owner, expected);
  }

  /** The informer has shown that a child is being deleted, or its deletion has failed. */
  deletionObserved(owner: string, child: string): void {
    const expected = this.#byOwner.get(owner);
    if (!expected?.deletions.delete(child)) return;
    this.#removeIfMet(owner, expected);
  }

  /** How long to wait until all expectations of an owner are met or given up; 0 if there are none. */
  remainingMs(owner: string): number {
    const expected = this.#byOwner.get(owner);
    if (!expected) return 0;
    const remainingMs = expected.sinceMonotonicMs + timeoutMs - this.#clock.elapsed();
    if (remainingMs > 0) return remainingMs;
    this.#byOwner.delete(owner);
    return 0;
  }

  delete(owner: string): void {
    this.#byOwner.delete(owner);
  }

  clear(): void {
    this.#byOwner.clear();
  }

  #removeIfMet(owner: string, { creations, deletions }: Expected): void {
    if (creations <= 0 && deletions.size === 0) this.#byOwner.delete(owner);
  }
}
