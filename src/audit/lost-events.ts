// Audit: counts events that could not be written, and logs the failure at most once per interval.
import type { Logger } from '../telemetry/log.ts';
import type { Metrics, NumberSeries } from '../telemetry/metrics.ts';

/** Shortest time between two log lines about lost events. */
const logIntervalMs = 10_000;

export class LostEvents {
  readonly #lost: NumberSeries;
  readonly #logger: Logger;
  #loggedAtMs = Number.NEGATIVE_INFINITY;

  constructor(metrics: Metrics, logger: Logger) {
    this.#lost = metrics.counter('apiserver_audit_error_total').child('log');
    this.#logger = logger;
  }

  /** `eventCount` is 0 for a failure that lost no event: it is only logged. */
  add(eventCount: number, error: unknown): void {
    this.#lost.value += eventCount;
    const now = performance.now();
    if (now - this.#loggedAtMs < logIntervalMs) return;
    this.#loggedAtMs = now;
    this.#logger.error(
      { err: error, lost: this.#lost.value },
      'failed to write the audit log, events were lost',
    );
  }
}
