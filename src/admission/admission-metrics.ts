// Admission metrics: durations of admission steps (all plugins of a phase) and of single plugins, with upstream's names.
import type { AdmissionOperation } from '../registry/write/admission-control.ts';
import type { Histogram, HistogramFamily, Metrics } from '../telemetry/metrics.ts';
import { WebhookMetrics } from './webhooks/webhook-metrics.ts';

export type AdmissionPhase = 'admit' | 'validate';

export class AdmissionMetrics {
  readonly webhooks: WebhookMetrics;
  readonly #steps: HistogramFamily;
  readonly #controllers: HistogramFamily;

  constructor(metrics: Metrics) {
    this.webhooks = new WebhookMetrics(metrics);
    this.#steps = metrics.histogram('apiserver_admission_step_admission_duration_seconds');
    this.#controllers = metrics.histogram('apiserver_admission_controller_admission_duration_seconds');
  }

  /** Durations of a whole step. */
  stepDurations(operation: AdmissionOperation, type: AdmissionPhase): AdmissionDurations {
    return new AdmissionDurations((rejected) => this.#steps.child(operation, rejected, type));
  }

  /** Durations of one plugin within a step. */
  pluginDurations(name: string, operation: AdmissionOperation, type: AdmissionPhase): AdmissionDurations {
    return new AdmissionDurations((rejected) => this.#controllers.child(name, operation, rejected, type));
  }
}

/**
 * Observes durations, separately for passed and rejected requests. Each histogram is looked up once, because every write
 * observes it.
 */
export class AdmissionDurations {
  readonly #histogramFor: (rejected: 'true' | 'false') => Histogram;
  #passed: Histogram | undefined;
  #rejected: Histogram | undefined;

  constructor(histogramFor: (rejected: 'true' | 'false') => Histogram) {
    this.#histogramFor = histogramFor;
  }

  /** `start`: of `performance.now()`. */
  observePassed(start: number): void {
    this.#passed ??= this.#histogramFor('false');
    this.#passed.observe(secondsSince(start));
  }

  observeRejected(start: number): void {
    this.#rejected ??= this.#histogramFor('true');
    this.#rejected.observe(secondsSince(start));
  }
}

const secondsSince = (start: number) => (performance.now() - start) / 1000;
