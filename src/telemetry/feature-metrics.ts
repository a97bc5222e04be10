import type { Dialect } from '../dialect/dialect.ts';
import type { FeatureGates } from '../features/gates.ts';
import type { Meters } from './meters.ts';

/** Every feature gate with its stage, and whether it is on. */
export function addFeatureMetrics(meters: Meters, { metricPrefix }: Dialect, features: FeatureGates): void {
  const enabled = meters.gauge(
    `${metricPrefix}_feature_enabled`,
    '[BETA] Whether a feature is on, and the stage it is in.',
    ['name', 'stage'],
  );
  for (const { name, stage, enabled: on } of features) {
    enabled.child(name, stage === 'stable' ? '' : stage.toUpperCase()).value = Number(on);
  }
}
