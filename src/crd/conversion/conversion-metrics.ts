// Conversion webhook metrics.
import type { Histograms, Metrics, NumberFamily } from '../../telemetry/metrics.ts';
import type { FailureType } from './conversion-failed.ts';

export class ConversionMetrics {
  readonly #requests: NumberFamily;
  readonly #durations: Histograms;
  readonly #byKind: Histograms;

  constructor(meters: Metrics) {
    this.#requests = meters.counter('apiserver_conversion_webhook_request_total');
    this.#durations = meters.histogram('apiserver_conversion_webhook_duration_seconds');
    this.#byKind = meters.histogram('apiserver_crd_conversion_webhook_duration_seconds');
  }

  /** A conversion has ended that began at `start`, on the process's own time. */
  note(kind: string, from: string, to: string, start: number, failure?: FailureType): void {
    const seconds = (performance.now() - start) / 1000;
    const type = failure === undefined ? '' : `conversion_webhook_${failure}_failure`;
    const result = failure === undefined ? 'success' : 'failure';
    this.#requests.child(type, result).value++;
    this.#durations.child(type, result).observe(seconds);
    this.#byKind.child(kind, from, String(failure === undefined), to).observe(seconds);
  }
}
