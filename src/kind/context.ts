// The settings of a server that the definitions of its kinds depend on.

import type { Dialect } from '../dialect/dialect.ts';
import type { Features } from './features/features.ts';

export interface KindContext {
  /** The names that contain the service's name or domain: Kubernetes' own, or those of Orch. */
  readonly dialect: Dialect;
  readonly features: Features;
  /** --allow-privileged: containers may run privileged. Default false. */
  readonly allowPrivileged?: boolean;
}
