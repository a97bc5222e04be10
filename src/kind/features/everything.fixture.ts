import type { Features } from './features.ts';

/** Every feature on, as most tests want it. */
export const everyFeature: Features = { enabled: () => true };
