// Controllers: the options that enable them, and those of leader election. Durations are in milliseconds.

export interface ControllerOptions {
  /** Controllers to run: `*` enables all, `-name` disables one. */
  readonly controllers: readonly string[];
  /** Runs controllers only while this server holds the leader lease. Undefined: true with --storage etcd, else false. */
  readonly leaderElect: boolean | undefined;
  /** How long another server waits after the last renewal before it takes over. */
  readonly leaderElectLeaseDuration: number;
  /** How long the leader tries to renew the lease before it gives up. */
  readonly leaderElectRenewDeadline: number;
  /** The interval of renewals. */
  readonly leaderElectRetryPeriod: number;
  /** PEM files of the CA that signs CertificateSigningRequests; undefined: the CA in the directory --cert-dir. */
  readonly clusterSigningCertFile: string | undefined;
  readonly clusterSigningKeyFile: string | undefined;
  /** The maximum validity of signed certificates. */
  readonly clusterSigningDuration: number;
  /** How long the content of a deleted namespace stays, so that a client can finalize the namespace itself. */
  readonly namespaceDeletionDelay: number;
  /** How long a kubelet may be silent before the conditions of its node become Unknown. */
  readonly nodeMonitorGracePeriod: number;
  /** Finished pods that are kept; 0 keeps all. */
  readonly terminatedPodGcThreshold: number;
  /** YAML or JSON file with a KubeSchedulerConfiguration. */
  readonly schedulerConfig: string | undefined;
}

export const defaultControllerOptions: ControllerOptions = {
  controllers: ['*'],
  leaderElect: undefined,
  leaderElectLeaseDuration: 15_000,
  leaderElectRenewDeadline: 10_000,
  leaderElectRetryPeriod: 2_000,
  clusterSigningCertFile: undefined,
  clusterSigningKeyFile: undefined,
  // One year.
  clusterSigningDuration: 365 * 24 * 60 * 60 * 1000,
  namespaceDeletionDelay: 0,
  nodeMonitorGracePeriod: 50_000,
  terminatedPodGcThreshold: 12_500,
  schedulerConfig: undefined,
};
