// Feature gates, as the rest of the server reads them.

import type { GateName } from './gate-table.ts';

/** Reports whether a feature gate is enabled in this server (upstream: featuregate.FeatureGate). */
export interface Features {
  enabled(name: GateName): boolean;
}
