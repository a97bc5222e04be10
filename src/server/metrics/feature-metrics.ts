// The metric feature_enabled: 1 for an enabled feature gate, else 0. The label of a GA gate's stage is empty.
import type { FeatureGates } from '../../kind/features/gates.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

export function addFeatureMetrics(metrics: Metrics, features: FeatureGates): void {
  const featureEnabled = metrics.gauge('feature_enabled');
  for (const { name, stage, enabled } of features) {
    featureEnabled.child(name, stage === 'stable' ? '' : stage.toUpperCase()).value = Number(enabled);
  }
}
