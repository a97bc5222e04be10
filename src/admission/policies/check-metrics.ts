// ValidatingAdmissionPolicy metrics: check counts and latencies.
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Failure } from './evaluation.ts';

export type Enforcement = 'allow' | 'audit' | 'deny' | 'warn';

/** Counts what policies found fault with. */
export class CheckMetrics {
  readonly #total;
  readonly #duration;

  constructor(meters: Metrics) {
    this.#total = meters.counter('apiserver_validating_admission_policy_check_total');
    this.#duration = meters.histogram('apiserver_validating_admission_policy_check_duration_seconds');
  }

  count(policy: string, binding: string, { type, took }: Failure, enforcement: Enforcement): void {
    this.#total.child(enforcement, type, policy, binding).value++;
    this.#duration.child(enforcement, type, policy, binding).observe(took / 1000);
  }
}
