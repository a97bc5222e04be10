// The metric feature_enabled.
import type { FeatureGates } from '../../kind/features/gates.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

export function addFeatureMetrics(meters: Metrics, features: FeatureGates): void {
  const enabled = meters.gauge('feature_enabled');
  for (const { name, stage, enabled: on } of features) {
    enabled.child(name, stage === 'stable' ? '' : stage.toUpperCase()).value = Number(on);
  }
}
