// Metrics of health checks, served at /metrics/slis (service level indicators).
import type { HealthObserver } from '../../http/endpoints/health.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

export function healthMetrics(metrics: Metrics): HealthObserver {
  const lastResult = metrics.gauge('healthcheck');
  const checks = metrics.counter('healthchecks_total');
  return (name, path, healthy) => {
    lastResult.child(name, path).value = Number(healthy);
    checks.child(name, healthy ? 'success' : 'error', path).value++;
  };
}
