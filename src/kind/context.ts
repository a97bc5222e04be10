// The inputs that the definition of a kind depends on.

import type { Dialect } from '../dialect/dialect.ts';
import type { Features } from './features/features.ts';

export interface KindContext {
  readonly dialect: Dialect;
  readonly features: Features;
  /** --allow-privileged: containers may run privileged. Default false. */
  readonly allowPrivileged?: boolean;
}
