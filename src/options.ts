import type { AuthorizationMode } from './auth/authorization-modes.ts';

/** Everything a server can be told, with upstream's flag names where one exists. Durations are milliseconds. */
export interface ServerOptions {
  readonly dialect: 'orch' | 'kubernetes';
  readonly storage: 'lmdb' | 'memory' | 'etcd';
  /** Members of the etcd that several servers share, with what it must prove and what we prove to it. */
  readonly etcdServers: readonly string[];
  readonly etcdCafile: string | undefined;
  readonly etcdCertfile: string | undefined;
  readonly etcdKeyfile: string | undefined;
  /** What the keys begin with there. */
  readonly etcdPrefix: string;
  /** How often one of the servers has it forget history; 0 is never. */
  readonly etcdCompactionInterval: number;
  /** Where LMDB keeps its files, and a server on etcd its copy. Not used by `memory`. */
  readonly dataDir: string;
  /** Plain HTTP on loopback where the caller is admin without credentials; undefined is off, 0 takes a free port. */
  readonly httpPort: number | undefined;
  /** HTTPS; undefined is off, 0 takes a free port. */
  readonly securePort: number | undefined;
  readonly bindAddress: string;
  readonly tlsCertFile: string | undefined;
  readonly tlsPrivateKeyFile: string | undefined;
  readonly clientCaFile: string | undefined;
  readonly tokenAuthFile: string | undefined;
  /** Whether who shows no credentials is somebody: the anonymous user. */
  readonly anonymousAuth: boolean;
  /** Who may speak for others by headers: proxies with certificates of these authorities, and of these names (none: any). */
  readonly requestheaderClientCaFile: string | undefined;
  readonly requestheaderAllowedNames: readonly string[];
  readonly requestheaderUsernameHeaders: readonly string[];
  readonly requestheaderUidHeaders: readonly string[];
  readonly requestheaderGroupHeaders: readonly string[];
  readonly requestheaderExtraHeadersPrefix: readonly string[];
  /** Whom the tokens of service accounts are meant for here; none stands for the issuers. */
  readonly apiAudiences: readonly string[];
  /** Who issues them; the first signs. None stands for the name of this server in the cluster. */
  readonly serviceAccountIssuer: readonly string[];
  /** With what they are signed, PEM; without it a key is made on first start. */
  readonly serviceAccountSigningKeyFile: string | undefined;
  /** Whose tokens are good beside those signed here, PEM. */
  readonly serviceAccountKeyFile: readonly string[];
  /** Where others find the keys, if not here. */
  readonly serviceAccountJwksUri: string | undefined;
  /** The longest a token may last; 0 is no limit. */
  readonly serviceAccountMaxTokenExpiration: number;
  /** Tokens of pods last a year instead of an hour, for programs that do not read them again. */
  readonly serviceAccountExtendTokenExpiration: boolean;
  /** Whether tokens kept in Secrets are good only as long as these have them. */
  readonly serviceAccountLookup: boolean;
  /** Who decides what a request may do; one that allows it is enough. */
  readonly authorizationMode: readonly AuthorizationMode[];
  /** With what the server shows itself to kubelets, and who signs their certificates; without that they are not checked. */
  readonly kubeletClientCertificate: string | undefined;
  readonly kubeletClientKey: string | undefined;
  readonly kubeletCertificateAuthority: string | undefined;
  /** With what the server shows itself to the servers behind APIServices; without, by what it makes for that itself. */
  readonly proxyClientCertFile: string | undefined;
  readonly proxyClientKeyFile: string | undefined;
  /** Those who have a say in writes: which beyond those that do by default, and which of these do not. */
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  /** How many seconds pods stay on a node that is not ready, or cannot be reached, unless they say so themselves. */
  readonly defaultNotReadyTolerationSeconds: number;
  readonly defaultUnreachableTolerationSeconds: number;
  /** Which controllers run inside the server: `*` is all, `-name` all but that one. */
  readonly controllers: readonly string[];
  /** Whether they run only while this server leads, of all that share its storage; undefined is where that is etcd. */
  readonly leaderElect: boolean | undefined;
  /** After how long a leader that is silent is given up by others, gives up itself, and how often it says that it is there. */
  readonly leaderElectLeaseDuration: number;
  readonly leaderElectRenewDeadline: number;
  readonly leaderElectRetryPeriod: number;
  /** Who signs the certificates that others ask for, PEM; without it the authority in `certDir`. And for how long, at most. */
  readonly clusterSigningCertFile: string | undefined;
  readonly clusterSigningKeyFile: string | undefined;
  readonly clusterSigningDuration: number;
  /** The folder of the CA, the serving certificate and the admin's client certificate; undefined keeps them in memory. */
  readonly certDir: string | undefined;
  readonly requestTimeout: number;
  readonly minRequestTimeout: number;
  /** Whether requests wait for their turn by FlowSchemas and priority levels, or only their number is limited. */
  readonly enablePriorityAndFairness: boolean;
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
  /**
   * Threads beside the serving one that work out writes while it is busy; `auto` is one less than there are processors. Unless
   * it is 0, there is one more for large writes.
   */
  readonly writeThreads: number | 'auto';
  readonly eventTtl: number;
  /** Whether pods may have containers that are root on their node. */
  readonly allowPrivileged: boolean;
  readonly shutdownDelayDuration: number;
  /** What services get their addresses from: a range, or one of each family, the default first. */
  readonly serviceClusterIpRange: readonly string[];
  /** What services get their ports on nodes from. */
  readonly serviceNodePortRange: { readonly first: number; readonly last: number };
  /** What is audited, and where that is written; `-` is standard output. Without both nothing is. */
  readonly auditPolicyFile: string | undefined;
  readonly auditLogPath: string | undefined;
  readonly auditLogFormat: 'json' | 'legacy';
  /** Whether the log holds up the server, or whether events may be lost; `blocking-strict` refuses what it cannot log. */
  readonly auditLogMode: 'batch' | 'blocking' | 'blocking-strict';
  /** In mode `batch`: how many events may wait, and how long they are gathered. */
  readonly auditLogBatchBufferSize: number;
  readonly auditLogBatchMaxWait: number;
  /** Megabytes from which on a new file is begun; how many old ones are kept and for how many days, 0 for all. */
  readonly auditLogMaxsize: number;
  readonly auditLogMaxbackup: number;
  readonly auditLogMaxage: number;
  readonly auditLogCompress: boolean;
  /** Whether events longer than so many bytes go without their objects. */
  readonly auditLogTruncateEnabled: boolean;
  readonly auditLogTruncateMaxEventSize: number;
  /** As `-v`: 0 says only what an operator must know, 3 adds the access log. */
  readonly verbosity: number;
  /** Which group versions and resources are served, beyond or short of the stable ones: `batch/v1`, `api/all`. */
  readonly runtimeConfig: Readonly<Record<string, boolean>>;
  /** Features that are on or off other than by default, by name; `AllAlpha` and `AllBeta` stand for many. */
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** An earlier release to be like: its features, and nothing that came later; empty for this one. */
  readonly emulatedVersion: string;
  /** Whether the use of a deprecated flag is complained of. */
  readonly deprecationWarnings: boolean;
  /** The release before this one, to see metrics once more that this one hides; empty otherwise. */
  readonly showHiddenMetricsForVersion: string;
  /** Metrics that are not wanted, by name. */
  readonly disabledMetrics: readonly string[];
  /** The label values that are told apart, by `metric,label`: `200,404`. */
  readonly allowMetricLabels: Readonly<Record<string, string>>;
  /** A YAML file that says the same. */
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
