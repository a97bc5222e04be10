import type { Logger } from '../telemetry/log.ts';
import type { Metrics, Value } from '../telemetry/metrics.ts';

/** How long after saying that events are lost it is not said again, in milliseconds. */
const quiet = 10_000;

/** Counts events that could not be kept, and says so: not for each, there may be many. */
export class LostEvents {
  readonly #lost: Value;
  readonly #logger: Logger;
  #saidAt = Number.NEGATIVE_INFINITY;

  constructor(meters: Metrics, logger: Logger) {
    this.#lost = meters.counter('apiserver_audit_error_total').child('log');
    this.#logger = logger;
  }

  add(events: number, error: unknown): void {
    this.#lost.value += events;
    const now = performance.now();
    if (now - this.#saidAt < quiet) return;
    this.#saidAt = now;
    this.#logger.error(
      { err: error, lost: this.#lost.value },
      'failed to write the audit log, events were lost',
    );
  }
}
