// Conversion webhook metrics: request counts and durations.
import type { HistogramFamily, Metrics, NumberFamily } from '../../telemetry/metrics.ts';
import type { ConversionFailureType } from './conversion-failed.ts';

export class ConversionMetrics {
  readonly #requests: NumberFamily;
  readonly #durations: HistogramFamily;
  readonly #byDefinition: HistogramFamily;

  constructor(metrics: Metrics) {
    this.#requests = metrics.counter('apiserver_conversion_webhook_request_total');
    this.#durations = metrics.histogram('apiserver_conversion_webhook_duration_seconds');
    this.#byDefinition = metrics.histogram('apiserver_crd_conversion_webhook_duration_seconds');
  }

  /** Records a conversion between two versions that began at `startMs` (performance.now()). */
  record(
    definitionName: string,
    from: string,
    to: string,
    startMs: number,
    failure?: ConversionFailureType,
  ): void {
    const seconds = (performance.now() - startMs) / 1000;
    const type = failure === undefined ? '' : `conversion_webhook_${failure}_failure`;
    const result = failure === undefined ? 'success' : 'failure';
    this.#requests.child(type, result).value++;
    this.#durations.child(type, result).observe(seconds);
    this.#byDefinition.child(definitionName, from, String(failure === undefined), to).observe(seconds);
  }
}
