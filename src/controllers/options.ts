// Controllers: the options that enable them, and those of leader election. Durations are in milliseconds.

export interface ControllerOptions {
  /** Controllers to run: `*` enables all, `-name` disables one. */
  readonly controllers: readonly string[];
  /** Runs controllers only while this server holds the leader lease; undefined enables this with etcd only. */
  readonly leaderElect: boolean | undefined;
  /** Timing of leader election: when others take over, when the leader gives up, and the interval of renewals. */
  readonly leaderElectLeaseDuration: number;
  readonly leaderElectRenewDeadline: number;
  readonly leaderElectRetryPeriod: number;
  /** CA that signs CertificateSigningRequests, PEM, by default the one in `certDir`; and the maximum validity. */
  readonly clusterSigningCertFile: string | undefined;
  readonly clusterSigningKeyFile: string | undefined;
  readonly clusterSigningDuration: number;
}

export const defaultControllerOptions: ControllerOptions = {
  controllers: ['*'],
  leaderElect: undefined,
  leaderElectLeaseDuration: 15_000,
  leaderElectRenewDeadline: 10_000,
  leaderElectRetryPeriod: 2_000,
  clusterSigningCertFile: undefined,
  clusterSigningKeyFile: undefined,
  clusterSigningDuration: 31_536_000_000,
};
