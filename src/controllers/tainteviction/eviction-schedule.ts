// taint-eviction-controller: the pods that are to be evicted when their toleration ends. Pods with the same end share a timer.
import type { Clock } from '../../base/clock.ts';

interface Deadline {
  readonly pods: Set<string>;
  readonly cancel: () => void;
}

export class EvictionSchedule {
  readonly #clock: Clock;
  readonly #evict: (pod: string) => void;
  /** By the monotonic time at which the eviction is due. */
  readonly #deadlines = new Map<number, Deadline>();
  /** By pod; undefined if its eviction has started. */
  readonly #dueMsByPod = new Map<string, number | undefined>();

  constructor(clock: Clock, evict: (pod: string) => void) {
    this.#clock = clock;
    this.#evict = evict;
  }

  /** Whether the eviction of a pod is due later or has started. */
  has(pod: string): boolean {
    return this.#dueMsByPod.has(pod);
  }

  /** Evicts a pod at a monotonic time, at once if it has passed. Does nothing for a pod that is scheduled. */
  add(pod: string, dueMs: number): void {
    if (this.#dueMsByPod.has(pod)) return;
    const delayMs = dueMs - this.#clock.elapsed();
    if (delayMs <= 0) {
      this.#start(pod);
      return;
    }
    this.#dueMsByPod.set(pod, dueMs);
    const deadline = this.#deadlines.get(dueMs);
    if (deadline) deadline.pods.add(pod);
    else {
      const cancel = this.#clock.after(delayMs, () => this.#onDeadline(dueMs));
      this.#deadlines.set(dueMs, { pods: new Set([pod]), cancel });
    }
  }

  /** Returns whether the eviction was due later. */
  cancel(pod: string): boolean {
    const dueMs = this.#dueMsByPod.get(pod);
    this.#dueMsByPod.delete(pod);
    const deadline = dueMs === undefined ? undefined : this.#deadlines.get(dueMs);
    if (dueMs === undefined || !deadline) return false;
    deadline.pods.delete(pod);
    if (deadline.pods.size === 0) {
      deadline.cancel();
      this.#deadlines.delete(dueMs);
    }
    return true;
  }

  clear(): void {
    for (const { cancel } of this.#deadlines.values()) cancel();
    this.#deadlines.clear();
    this.#dueMsByPod.clear();
  }

  #onDeadline(dueMs: number): void {
    const { pods } = this.#deadlines.get(dueMs)!;
    this.#deadlines.delete(dueMs);
    for (const pod of pods) this.#start(pod);
  }

  #start(pod: string): void {
    this.#dueMsByPod.set(pod, undefined);
    this.#evict(pod);
  }
}
