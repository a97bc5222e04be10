import type { Dialect } from '../dialect/dialect.ts';
import type { Features } from './features/features.ts';

/** What the definition of a kind depends on beside itself. */
export interface KindContext {
  readonly dialect: Dialect;
  readonly features: Features;
  /** Whether containers may be root on their node. Left out, they may not. */
  readonly allowPrivileged?: boolean;
}
