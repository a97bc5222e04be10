import type { GateName } from './gate-table.ts';

/** Which of the features that can be switched are on in this server. */
export interface Features {
  enabled(name: GateName): boolean;
}
