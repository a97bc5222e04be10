// Admission metrics: durations of admission steps and plugins.
import type { AdmissionOperation } from '../registry/write/admission-control.ts';
import type { Histogram, Histograms, Metrics } from '../telemetry/metrics.ts';
import { WebhookMetrics } from './webhooks/webhook-metrics.ts';

export type AdmissionPhase = 'admit' | 'validate';

export class AdmissionMetrics {
  readonly webhooks: WebhookMetrics;
  readonly #steps: Histograms;
  readonly #controllers: Histograms;

  constructor(metrics: Metrics) {
    this.webhooks = new WebhookMetrics(metrics);
    this.#steps = metrics.histogram('apiserver_admission_step_admission_duration_seconds');
    this.#controllers = metrics.histogram('apiserver_admission_controller_admission_duration_seconds');
  }

  /** The duration of a whole admission step. */
  stepDurations(operation: AdmissionOperation, type: AdmissionPhase): AdmissionDurations {
    return new AdmissionDurations((rejected) => this.#steps.child(operation, rejected, type));
  }

  /** The duration of one plugin within the step. */
  pluginDurations(name: string, operation: AdmissionOperation, type: AdmissionPhase): AdmissionDurations {
    return new AdmissionDurations((rejected) => this.#controllers.child(name, operation, rejected, type));
  }
}

/** Observes a duration by whether the request was rejected. The histograms are looked up once, because every write observes them. */
export class AdmissionDurations {
  readonly #make: (rejected: 'true' | 'false') => Histogram;
  #passed: Histogram | undefined;
  #rejected: Histogram | undefined;

  constructor(make: (rejected: 'true' | 'false') => Histogram) {
    this.#make = make;
  }

  passed(since: number): void {
    this.#passed ??= this.#make('false');
    this.#passed.observe(secondsSince(since));
  }

  rejected(since: number): void {
    this.#rejected ??= this.#make('true');
    this.#rejected.observe(secondsSince(since));
  }
}

const secondsSince = (start: number) => (performance.now() - start) / 1000;
