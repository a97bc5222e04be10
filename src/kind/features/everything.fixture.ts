// Test fixture: all feature gates enabled.

import type { Features } from './features.ts';

/** Enables every feature gate. */
export const everyFeature: Features = { enabled: () => true };
