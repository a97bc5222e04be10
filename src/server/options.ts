// Options of the server and their defaults.
import type { AuthorizationMode } from '../auth/authorization-modes.ts';

/** All options of the server, named after upstream's flags where one exists. Durations are in milliseconds. */
export interface ServerOptions {
  readonly dialect: 'orch' | 'kubernetes';
  readonly storage: 'lmdb' | 'memory' | 'etcd';
  /** Client URLs, CA bundle and client certificate of the shared etcd. */
  readonly etcdServers: readonly string[];
  readonly etcdCafile: string | undefined;
  readonly etcdCertfile: string | undefined;
  readonly etcdKeyfile: string | undefined;
  /** Prefix of all keys in etcd. */
  readonly etcdPrefix: string;
  /** Interval of etcd compaction; 0 disables it. */
  readonly etcdCompactionInterval: number;
  /** Directory of the LMDB database, or of the local replica of etcd. Not used by `memory`. */
  readonly dataDir: string;
  /** Plain HTTP on loopback, where every request runs as cluster admin; undefined disables it, 0 picks a free port. */
  readonly httpPort: number | undefined;
  /** HTTPS; undefined disables it, 0 picks a free port. */
  readonly securePort: number | undefined;
  readonly bindAddress: string;
  readonly tlsCertFile: string | undefined;
  readonly tlsPrivateKeyFile: string | undefined;
  readonly clientCaFile: string | undefined;
  readonly tokenAuthFile: string | undefined;
  /** Allows requests without credentials, as user system:anonymous. */
  readonly anonymousAuth: boolean;
  /** Authenticating proxies: the CA bundle of their client certificates, and their common names (empty allows any). */
  readonly requestheaderClientCaFile: string | undefined;
  readonly requestheaderAllowedNames: readonly string[];
  readonly requestheaderUsernameHeaders: readonly string[];
  readonly requestheaderUidHeaders: readonly string[];
  readonly requestheaderGroupHeaders: readonly string[];
  readonly requestheaderExtraHeadersPrefix: readonly string[];
  /** Accepted audiences of service account tokens; empty means the issuers. */
  readonly apiAudiences: readonly string[];
  /** Issuers of service account tokens; the first one signs. Empty means the in-cluster URL of this server. */
  readonly serviceAccountIssuer: readonly string[];
  /** Private key that signs service account tokens, PEM; by default the server creates one on first start. */
  readonly serviceAccountSigningKeyFile: string | undefined;
  /** Additional keys that verify service account tokens, PEM. */
  readonly serviceAccountKeyFile: readonly string[];
  /** JWKS URI in the OIDC discovery document; by default that of this server. */
  readonly serviceAccountJwksUri: string | undefined;
  /** Maximum lifetime of a service account token; 0 is no limit. */
  readonly serviceAccountMaxTokenExpiration: number;
  /** Extends pod tokens from one hour to one year, for clients that do not reload them. */
  readonly serviceAccountExtendTokenExpiration: boolean;
  /** Accepts a legacy service account token only while its Secret holds it. */
  readonly serviceAccountLookup: boolean;
  /** Authorizers in order; a request is allowed if one of them allows it. */
  readonly authorizationMode: readonly AuthorizationMode[];
  /** Client certificate for kubelets, and the CA bundle that verifies them; without it they are not verified. */
  readonly kubeletClientCertificate: string | undefined;
  readonly kubeletClientKey: string | undefined;
  readonly kubeletCertificateAuthority: string | undefined;
  /** Client certificate for aggregated API servers; by default the server creates one. */
  readonly proxyClientCertFile: string | undefined;
  readonly proxyClientKeyFile: string | undefined;
  /** Admission plugins enabled in addition to the default ones, and default ones that are disabled. */
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  /** tolerationSeconds of the tolerations that DefaultTolerationSeconds adds to pods. */
  readonly defaultNotReadyTolerationSeconds: number;
  readonly defaultUnreachableTolerationSeconds: number;
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
  /** Directory of the CA, the serving certificate and the admin's client certificate; undefined keeps them in memory. */
  readonly certDir: string | undefined;
  readonly requestTimeout: number;
  readonly minRequestTimeout: number;
  /** API Priority and Fairness; without it only the number of requests in flight is limited. */
  readonly enablePriorityAndFairness: boolean;
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
  /**
   * Worker threads that prepare writes while the serving thread is busy; `auto` is the number of processors less one, at
   * most 4. Unless it is 0, one more worker thread prepares large writes.
   */
  readonly writeThreads: number | 'auto';
  readonly eventTtl: number;
  /** Allows privileged containers. */
  readonly allowPrivileged: boolean;
  readonly shutdownDelayDuration: number;
  /** CIDR for cluster IPs, or one for each IP family with the default family first. */
  readonly serviceClusterIpRange: readonly string[];
  /** Port range for node ports. */
  readonly serviceNodePortRange: { readonly first: number; readonly last: number };
  /** Audit policy and log file (`-` is standard output). Auditing needs both. */
  readonly auditPolicyFile: string | undefined;
  readonly auditLogPath: string | undefined;
  readonly auditLogFormat: 'json' | 'legacy';
  /** Backpressure: `batch` drops events, `blocking` delays requests, `blocking-strict` also rejects what it cannot log. */
  readonly auditLogMode: 'batch' | 'blocking' | 'blocking-strict';
  /** Events that mode `batch` buffers, and the longest time that events are buffered before they are written. */
  readonly auditLogBatchBufferSize: number;
  readonly auditLogBatchMaxWait: number;
  /** Rotation: size in megabytes, number of old files to keep, days to keep them; 0 keeps all. */
  readonly auditLogMaxsize: number;
  readonly auditLogMaxbackup: number;
  readonly auditLogMaxage: number;
  readonly auditLogCompress: boolean;
  /** Drops request and response objects from events that exceed this many bytes. */
  readonly auditLogTruncateEnabled: boolean;
  readonly auditLogTruncateMaxEventSize: number;
  /** Log verbosity (`-v`): 0 logs what an operator must know, 3 adds the access log. */
  readonly verbosity: number;
  /** Enables or disables group versions and resources: `batch/v1`, `api/all`. */
  readonly runtimeConfig: Readonly<Record<string, boolean>>;
  /** Feature gates that differ from their defaults; `AllAlpha` and `AllBeta` set all gates of a stage. */
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** Earlier release to emulate: its feature gates, and no API introduced later; empty for this release. */
  readonly emulatedVersion: string;
  /** Warns about deprecated flags. */
  readonly deprecationWarnings: boolean;
  /** The previous release, to show metrics that this release hides; otherwise empty. */
  readonly showHiddenMetricsForVersion: string;
  /** Metrics to disable, by name. */
  readonly disabledMetrics: readonly string[];
  /** Allowed label values by `metric,label`: `200,404`. Other values are counted as `unexpected`. */
  readonly allowMetricLabels: Readonly<Record<string, string>>;
  /** YAML file with allowed label values. */
  readonly allowMetricLabelsManifest: string | undefined;
}

export const defaultOptions: ServerOptions = {
  dialect: 'orch',
  storage: 'lmdb',
  etcdServers: [],
  etcdCafile: undefined,
  etcdCertfile: undefined,
  etcdKeyfile: undefined,
  etcdPrefix: '/registry',
  etcdCompactionInterval: 300_000,
  dataDir: '.orch',
  httpPort: undefined,
  securePort: 6443,
  bindAddress: '127.0.0.1',
  tlsCertFile: undefined,
  tlsPrivateKeyFile: undefined,
  clientCaFile: undefined,
  tokenAuthFile: undefined,
  anonymousAuth: true,
  requestheaderClientCaFile: undefined,
  requestheaderAllowedNames: [],
  requestheaderUsernameHeaders: [],
  requestheaderUidHeaders: [],
  requestheaderGroupHeaders: [],
  requestheaderExtraHeadersPrefix: [],
  apiAudiences: [],
  serviceAccountIssuer: [],
  serviceAccountSigningKeyFile: undefined,
  serviceAccountKeyFile: [],
  serviceAccountJwksUri: undefined,
  serviceAccountMaxTokenExpiration: 0,
  serviceAccountExtendTokenExpiration: true,
  serviceAccountLookup: true,
  authorizationMode: ['RBAC'],
  enableAdmissionPlugins: [],
  disableAdmissionPlugins: [],
  defaultNotReadyTolerationSeconds: 300,
  defaultUnreachableTolerationSeconds: 300,
  controllers: ['*'],
  leaderElect: undefined,
  leaderElectLeaseDuration: 15_000,
  leaderElectRenewDeadline: 10_000,
  leaderElectRetryPeriod: 2_000,
  clusterSigningCertFile: undefined,
  clusterSigningKeyFile: undefined,
  clusterSigningDuration: 31_536_000_000,
  kubeletClientCertificate: undefined,
  kubeletClientKey: undefined,
  kubeletCertificateAuthority: undefined,
  proxyClientCertFile: undefined,
  proxyClientKeyFile: undefined,
  certDir: '.orch/pki',
  requestTimeout: 60_000,
  minRequestTimeout: 1_800_000,
  enablePriorityAndFairness: true,
  maxRequestsInflight: 400,
  maxMutatingRequestsInflight: 200,
  writeThreads: 0,
  eventTtl: 3_600_000,
  allowPrivileged: false,
  shutdownDelayDuration: 0,
  serviceClusterIpRange: ['10.0.0.0/24'],
  serviceNodePortRange: { first: 30_000, last: 32_767 },
  auditPolicyFile: undefined,
  auditLogPath: undefined,
  auditLogFormat: 'json',
  auditLogMode: 'blocking',
  auditLogBatchBufferSize: 10_000,
  auditLogBatchMaxWait: 5,
  auditLogMaxsize: 100,
  auditLogMaxbackup: 0,
  auditLogMaxage: 0,
  auditLogCompress: false,
  auditLogTruncateEnabled: false,
  auditLogTruncateMaxEventSize: 102_400,
  verbosity: 0,
  runtimeConfig: {},
  featureGates: {},
  emulatedVersion: '',
  deprecationWarnings: true,
  showHiddenMetricsForVersion: '',
  disabledMetrics: [],
  allowMetricLabels: {},
  allowMetricLabelsManifest: undefined,
};
