// ValidatingAdmissionPolicy metrics: counts and durations of failed checks.
import type { Metrics } from '../../telemetry/metrics.ts';
import type { PolicyFailure } from './evaluation.ts';

export type Enforcement = 'allow' | 'audit' | 'deny' | 'warn';

export class PolicyMetrics {
  readonly #total;
  readonly #duration;

  constructor(metrics: Metrics) {
    this.#total = metrics.counter('apiserver_validating_admission_policy_check_total');
    this.#duration = metrics.histogram('apiserver_validating_admission_policy_check_duration_seconds');
  }

  countFailure(
    policy: string,
    binding: string,
    { type, elapsedMs }: PolicyFailure,
    enforcement: Enforcement,
  ): void {
    this.#total.child(enforcement, type, policy, binding).value++;
    this.#duration.child(enforcement, type, policy, binding).observe(elapsedMs / 1000);
  }
}
