// APIs: the options that select the kinds, versions and features that the server serves.

export interface ApiOptions {
  readonly dialect: 'orch' | 'kubernetes';
  /** Feature gates that differ from their defaults; `AllAlpha` and `AllBeta` set all gates of a stage. */
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** Enables or disables group versions and resources: `batch/v1`, `api/all`. */
  readonly runtimeConfig: Readonly<Record<string, boolean>>;
  /** Earlier release to emulate: its feature gates, and no API introduced later; empty for this release. */
  readonly emulatedVersion: string;
  /** Allows privileged containers. */
  readonly allowPrivileged: boolean;
}

export const defaultApiOptions: ApiOptions = {
  dialect: 'orch',
  featureGates: {},
  runtimeConfig: {},
  emulatedVersion: '',
  allowPrivileged: false,
};
