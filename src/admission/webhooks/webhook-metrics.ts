// Admission webhook metrics: durations, request counts, rejections and fail-open counts.
import type { AdmissionOperation } from '../../registry/write/admission-control.ts';
import type { HistogramFamily, Metrics, NumberFamily } from '../../telemetry/metrics.ts';

/** Records durations and outcomes of webhook calls. */
export class WebhookMetrics {
  readonly #durations: HistogramFamily;
  readonly #requests: NumberFamily;
  readonly #rejections: NumberFamily;
  readonly #failedOpen: NumberFamily;

  constructor(metrics: Metrics) {
    this.#durations = metrics.histogram('apiserver_admission_webhook_admission_duration_seconds');
    this.#requests = metrics.counter('apiserver_admission_webhook_request_total');
    this.#rejections = metrics.counter('apiserver_admission_webhook_rejection_count');
    this.#failedOpen = metrics.counter('apiserver_admission_webhook_fail_open_count');
  }

  /** Starts the measurement of a call. */
  startCall(type: WebhookType, name: string, operation: AdmissionOperation): WebhookCallRecorder {
    const start = performance.now();
    const end = (code: number, rejected: boolean) => {
      const seconds = (performance.now() - start) / 1000;
      this.#durations.child(name, operation, String(rejected), type).observe(seconds);
      this.#requests.child(String(code), name, operation, String(rejected), type).value++;
    };
    return {
      recordAllowed: () => end(200, false),
      recordDenied: (code) => {
        end(code, true);
        this.countRejection(type, name, operation, 'no_error', code);
      },
      recordFailed: (code, failurePolicy) => {
        const rejected = failurePolicy === 'Fail';
        end(code, rejected);
        if (rejected) this.countRejection(type, name, operation, 'calling_webhook_error', code);
        else this.#failedOpen.child(name, type).value++;
      },
    };
  }

  /** Counts a request that a webhook rejects, or that fails because of it. */
  countRejection(
    type: WebhookType,
    name: string,
    operation: AdmissionOperation,
    error: RejectionCause,
    code = 0,
  ): void {
    this.#rejections.child(error, name, operation, String(code), type).value++;
  }
}

export type WebhookType = 'admit' | 'validating';
type RejectionCause = 'no_error' | 'calling_webhook_error' | 'apiserver_internal_error';

/** Records the outcome of a call in progress. Exactly one method is called, once. */
export interface WebhookCallRecorder {
  recordAllowed(): void;
  recordDenied(code: number): void;
  /** With failurePolicy Fail the request is rejected as well. */
  recordFailed(code: number, failurePolicy: 'Fail' | 'Ignore'): void;
}
