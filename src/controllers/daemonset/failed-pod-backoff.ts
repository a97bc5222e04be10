// daemonset-controller: backoff of the deletion of failed pods, so that a node that rejects a pod does not keep the controller busy
// (upstream: failedPodsBackoff, a flowcontrol.Backoff).
import type { Clock } from '../../base/clock.ts';

const minDelayMs = 1_000;
const maxDelayMs = 15 * 60_000;
/** An entry that was not used for so long is forgotten. */
const expiryMs = 2 * maxDelayMs;
const cleanupIntervalMs = 60_000;

interface Entry {
  readonly delayMs: number;
  readonly sinceMonotonicMs: number;
}

export class FailedPodBackoff {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  #cleanedUpMonotonicMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns 0 and starts the next, longer delay if none is left of the last one; else how long it still takes. */
  take(key: string): number {
    const nowMs = this.#clock.elapsed();
    this.#cleanUp(nowMs);
    const entry = this.#entries.get(key);
    const remainingMs = entry ? entry.sinceMonotonicMs + entry.delayMs - nowMs : 0;
    if (remainingMs > 0) return remainingMs;
    const delayMs = entry ? Math.min(entry.delayMs * 2, maxDelayMs) : minDelayMs;
    this.#entries.set(key, { delayMs, sinceMonotonicMs: nowMs });
    return 0;
  }

  clear(): void {
    this.#entries.clear();
  }

  #cleanUp(nowMs: number): void {
    if (nowMs - this.#cleanedUpMonotonicMs < cleanupIntervalMs) return;
    this.#cleanedUpMonotonicMs = nowMs;
    for (const [key, { sinceMonotonicMs }] of this.#entries)
      if (nowMs - sinceMonotonicMs > expiryMs) this.#entries.delete(key);
  }
}
