// Metrics of health checks, for SLIs.
import type { HealthObserver } from '../../http/endpoints/health.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

export function healthMetrics(meters: Metrics): HealthObserver {
  const last = meters.gauge('healthcheck');
  const total = meters.counter('healthchecks_total');
  return (name, path, healthy) => {
    last.child(name, path).value = Number(healthy);
    total.child(name, healthy ? 'success' : 'error', path).value++;
  };
}
