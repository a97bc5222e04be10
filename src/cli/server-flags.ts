// The flags of `orch dev` and `orch serve`, with the names of kube-apiserver's and kube-controller-manager's flags.
import type { ServerOptions } from '../server/options.ts';
import { storageBackends } from '../store/options.ts';
import { configFlagName } from './config-file.ts';
import {
  address,
  bool,
  boolMap,
  bytes,
  choice,
  cidrs,
  controllers,
  count,
  countOrAuto,
  directory,
  duration,
  file,
  files,
  hostNames,
  httpsUrl,
  ipAddress,
  issuer,
  keyPrefix,
  labelLists,
  modes,
  names,
  optionalBool,
  plugins,
  port,
  portOrOff,
  portRange,
  release,
  servers,
  size,
  textList,
  tokenLifetime,
  type ValueType,
} from './flag-values.ts';
import type { Flag, FlagGroup } from './flags.ts';

/** A flag that sets one server option. */
function flag<K extends keyof ServerOptions>(
  name: string,
  option: K,
  type: ValueType<ServerOptions[K]>,
  about: string,
): Flag<ServerOptions> {
  return {
    name,
    placeholder: type.placeholder,
    about,
    parse: (text) => ({ [option]: type.parse(text) }) as Pick<ServerOptions, K>,
    format: (options) => type.format(options[option]),
  };
}

/** A repeatable flag with key-value pairs; each use adds to them. */
function mapFlag<K extends 'runtimeConfig' | 'featureGates' | 'allowMetricLabels'>(
  name: string,
  option: K,
  type: ValueType<ServerOptions[K]>,
  about: string,
): Flag<ServerOptions> {
  return {
    ...flag(name, option, type, about),
    parse: (text, previous) => ({ [option]: { ...previous[option], ...type.parse(text) } }),
  };
}

/** A repeatable flag with a list; each use adds to it. */
function listFlag<K extends ListOption>(
  name: string,
  option: K,
  type: ValueType<readonly string[]>,
  about: string,
): Flag<ServerOptions> {
  return {
    ...flag(name, option, type, about),
    parse: (text, previous) => ({ [option]: [...(previous[option] ?? []), ...type.parse(text)] }),
  };
}

type ListOption =
  | 'apiAudiences'
  | 'tlsSan'
  | 'serviceAccountIssuer'
  | 'serviceAccountKeyFile'
  | 'requestheaderAllowedNames'
  | 'requestheaderUsernameHeaders'
  | 'requestheaderUidHeaders'
  | 'requestheaderGroupHeaders'
  | 'requestheaderExtraHeadersPrefix';

/** Only for `orch dev`: in production there is no listener without TLS. */
export const httpPort = flag(
  'http-port',
  'httpPort',
  portOrOff,
  'port for plain HTTP on loopback; every request runs as cluster admin, without credentials; 0 disables it',
);

const auditFlags: readonly Flag<ServerOptions>[] = [
  flag(
    'audit-policy-file',
    'auditPolicyFile',
    file,
    'audit policy, YAML; auditing needs this flag and --audit-log-path',
  ),
  flag('audit-log-path', 'auditLogPath', file, 'file for audit events; - is standard output'),
  flag('audit-log-format', 'auditLogFormat', choice('json', 'legacy'), 'format of an audit log line'),
  flag(
    'audit-log-mode',
    'auditLogMode',
    choice('batch', 'blocking', 'blocking-strict'),
    'backpressure: batch drops events, blocking delays requests, blocking-strict also rejects requests it cannot log',
  ),
  flag(
    'audit-log-batch-buffer-size',
    'auditLogBatchBufferSize',
    count,
    'events that mode batch buffers before it drops events',
  ),
  flag(
    'audit-log-batch-max-wait',
    'auditLogBatchMaxWait',
    duration,
    'longest time that events are buffered before they are written',
  ),
  flag('audit-log-maxsize', 'auditLogMaxsize', count, 'size in megabytes at which the audit log is rotated'),
  flag(
    'audit-log-maxbackup',
    'auditLogMaxbackup',
    count,
    'number of rotated audit logs to keep; 0 keeps all',
  ),
  flag('audit-log-maxage', 'auditLogMaxage', count, 'days to keep rotated audit logs; 0 keeps them forever'),
  flag('audit-log-compress', 'auditLogCompress', bool, 'compress rotated audit logs with gzip'),
  flag(
    'audit-log-truncate-enabled',
    'auditLogTruncateEnabled',
    bool,
    'drop request and response objects from audit events that exceed the maximum size',
  ),
  flag(
    'audit-log-truncate-max-event-size',
    'auditLogTruncateMaxEventSize',
    bytes,
    'maximum size of an audit event in bytes, with --audit-log-truncate-enabled',
  ),
];

/** Flags of both commands, by subject. */
export const serverFlagGroups: readonly FlagGroup<ServerOptions>[] = [
  {
    title: 'General',
    flags: [
      {
        name: configFlagName,
        placeholder: 'FILE',
        about: 'YAML file with flags, by name and without dashes; flags on the command line take precedence',
        // parseServerOptions reads the file.
        parse: () => ({}),
        format: () => '',
      },
      flag(
        'dialect',
        'dialect',
        choice('orch', 'kubernetes'),
        'names of API groups and labels: those of Orch, or those of Kubernetes, which kubectl and operators expect',
      ),
      flag('data-dir', 'dataDir', directory, 'directory for the database, certificates and kubeconfig'),
    ],
  },
  {
    title: 'Storage',
    flags: [
      flag(
        'storage',
        'storage',
        choice(...storageBackends),
        'storage backend: lmdb is an embedded database, memory loses objects on exit, etcd is shared by several servers',
      ),
      flag('etcd-servers', 'etcdServers', servers, 'etcd client URLs, for --storage etcd'),
      flag('etcd-cafile', 'etcdCafile', file, 'CA bundle that verifies etcd, PEM'),
      flag('etcd-certfile', 'etcdCertfile', file, 'client certificate for etcd, PEM'),
      flag('etcd-keyfile', 'etcdKeyfile', file, 'private key of --etcd-certfile, PEM'),
      flag('etcd-prefix', 'etcdPrefix', keyPrefix, 'prefix of all keys in etcd'),
      flag(
        'etcd-compaction-interval',
        'etcdCompactionInterval',
        duration,
        'interval of etcd compaction, which keeps the history since the previous compaction; 0s disables it',
      ),
      flag(
        'storage-quota-bytes',
        'storageQuotaBytes',
        size,
        'maximum size of the data in bytes, for --storage lmdb; above it only deletions, and updates that do not grow, are accepted; 0 for none',
      ),
    ],
  },
  {
    title: 'HTTPS',
    flags: [
      flag('secure-port', 'securePort', port, 'port for HTTPS; auto picks a free one'),
      flag('bind-address', 'bindAddress', address, 'IP address on which HTTPS listens'),
      flag(
        'advertise-address',
        'advertiseAddress',
        ipAddress,
        'IP address at which other machines reach the server: published in the endpoints of its Service; default: the first of an interface',
      ),
      listFlag(
        'tls-san',
        'tlsSan',
        hostNames,
        'further DNS names and IP addresses in the serving certificate that the server creates',
      ),
      flag(
        'tls-cert-file',
        'tlsCertFile',
        file,
        'serving certificate, PEM; by default the server creates one on first start',
      ),
      flag('tls-private-key-file', 'tlsPrivateKeyFile', file, 'private key of --tls-cert-file, PEM'),
    ],
  },
  {
    title: 'Authentication',
    flags: [
      flag('client-ca-file', 'clientCaFile', file, 'CA bundle that verifies client certificates, PEM'),
      flag(
        'token-auth-file',
        'tokenAuthFile',
        file,
        'static bearer tokens, CSV: token,user,uid,"group1,group2"',
      ),
      flag(
        'anonymous-auth',
        'anonymousAuth',
        bool,
        'allow requests without credentials, as user system:anonymous',
      ),
      flag(
        'requestheader-client-ca-file',
        'requestheaderClientCaFile',
        file,
        'CA bundle that verifies the client certificates of authenticating proxies, PEM',
      ),
      listFlag(
        'requestheader-allowed-names',
        'requestheaderAllowedNames',
        textList('NAME,...'),
        'common names that authenticating proxies may have; empty allows any',
      ),
      listFlag(
        'requestheader-username-headers',
        'requestheaderUsernameHeaders',
        textList('HEADER,...'),
        'request headers for the user name; the first one present is used',
      ),
      listFlag(
        'requestheader-uid-headers',
        'requestheaderUidHeaders',
        textList('HEADER,...'),
        'request headers for the UID; needs the feature gate RemoteRequestHeaderUID',
      ),
      listFlag(
        'requestheader-group-headers',
        'requestheaderGroupHeaders',
        textList('HEADER,...'),
        'request headers for groups',
      ),
      listFlag(
        'requestheader-extra-headers-prefix',
        'requestheaderExtraHeadersPrefix',
        textList('PREFIX,...'),
        'prefixes of request headers for user extra',
      ),
    ],
  },
  {
    title: 'Service account tokens',
    flags: [
      listFlag(
        'api-audiences',
        'apiAudiences',
        textList('AUDIENCE,...'),
        'accepted audiences of service account tokens; by default the issuers',
      ),
      listFlag(
        'service-account-issuer',
        'serviceAccountIssuer',
        issuer,
        'issuer of service account tokens; may be repeated: the first one signs, all are accepted',
      ),
      flag(
        'service-account-signing-key-file',
        'serviceAccountSigningKeyFile',
        file,
        'private key that signs service account tokens, PEM; by default the server creates one on first start',
      ),
      listFlag(
        'service-account-key-file',
        'serviceAccountKeyFile',
        files,
        'additional keys that verify service account tokens, PEM; may be repeated',
      ),
      flag(
        'service-account-jwks-uri',
        'serviceAccountJwksUri',
        httpsUrl,
        'JWKS URI in the OIDC discovery document; by default that of this server',
      ),
      flag(
        'service-account-max-token-expiration',
        'serviceAccountMaxTokenExpiration',
        tokenLifetime,
        'maximum lifetime of a service account token; 0s is no limit',
      ),
      flag(
        'service-account-extend-token-expiration',
        'serviceAccountExtendTokenExpiration',
        bool,
        'extend pod tokens from one hour to one year, for clients that do not reload them',
      ),
      flag(
        'service-account-lookup',
        'serviceAccountLookup',
        bool,
        'accept a legacy service account token only while its Secret holds it',
      ),
    ],
  },
  {
    title: 'Authorization and admission',
    flags: [
      flag(
        'authorization-mode',
        'authorizationMode',
        modes,
        'authorizers in order; a request is allowed if one of them allows it',
      ),
      flag(
        'enable-admission-plugins',
        'enableAdmissionPlugins',
        plugins,
        'admission plugins to enable in addition to the default ones',
      ),
      flag(
        'disable-admission-plugins',
        'disableAdmissionPlugins',
        plugins,
        'admission plugins to disable although they are enabled by default',
      ),
      flag(
        'default-not-ready-toleration-seconds',
        'defaultNotReadyTolerationSeconds',
        count,
        'tolerationSeconds of the not-ready toleration that admission adds to pods without one',
      ),
      flag(
        'default-unreachable-toleration-seconds',
        'defaultUnreachableTolerationSeconds',
        count,
        'tolerationSeconds of the unreachable toleration that admission adds to pods without one',
      ),
    ],
  },
  {
    title: 'Controllers',
    flags: [
      flag(
        'controllers',
        'controllers',
        controllers,
        'controllers to run: * enables all, -NAME disables one, -* disables all',
      ),
      flag(
        'leader-elect',
        'leaderElect',
        optionalBool,
        'run controllers only while this server holds the leader lease; by default true with --storage etcd',
      ),
      flag(
        'leader-elect-lease-duration',
        'leaderElectLeaseDuration',
        duration,
        'time after the last renewal at which another server may acquire the lease',
      ),
      flag(
        'leader-elect-renew-deadline',
        'leaderElectRenewDeadline',
        duration,
        'time without a renewal after which the leader stops its controllers',
      ),
      flag(
        'leader-elect-retry-period',
        'leaderElectRetryPeriod',
        duration,
        'interval between attempts to acquire or renew the lease',
      ),
      flag(
        'cluster-signing-cert-file',
        'clusterSigningCertFile',
        file,
        'CA certificate that signs CertificateSigningRequests, PEM; by default the CA in --cert-dir',
      ),
      flag(
        'cluster-signing-key-file',
        'clusterSigningKeyFile',
        file,
        'private key of --cluster-signing-cert-file, PEM',
      ),
      flag(
        'cluster-signing-duration',
        'clusterSigningDuration',
        duration,
        'maximum validity of signed certificates; a request may ask for less',
      ),
      flag(
        'namespace-deletion-delay',
        'namespaceDeletionDelay',
        duration,
        'time for which the content of a deleted namespace stays, for clients that finalize the namespace themselves',
      ),
      flag(
        'node-monitor-grace-period',
        'nodeMonitorGracePeriod',
        duration,
        'time without a heartbeat after which the conditions of a node become Unknown',
      ),
      flag(
        'terminated-pod-gc-threshold',
        'terminatedPodGcThreshold',
        count,
        'number of finished pods that are kept; 0 keeps all',
      ),
      flag(
        'scheduler-config',
        'schedulerConfig',
        file,
        'YAML file with a KubeSchedulerConfiguration: profiles of the scheduler',
      ),
    ],
  },
  {
    title: 'Simulated nodes',
    flags: [
      flag('nodes', 'nodes', count, 'number of nodes to simulate: their pods run without containers'),
      flag(
        'node-stages',
        'nodeStages',
        file,
        'YAML file with stages of the pods on simulated nodes, such as crashes; needs --nodes',
      ),
    ],
  },
  {
    title: 'Certificates, kubelets and aggregated servers',
    flags: [
      flag(
        'cert-dir',
        'certDir',
        directory,
        'directory for certificates and keys that the server creates; by default pki/ in --data-dir',
      ),
      flag(
        'kubelet-client-certificate',
        'kubeletClientCertificate',
        file,
        'client certificate for kubelets, PEM',
      ),
      flag(
        'kubelet-client-key',
        'kubeletClientKey',
        file,
        'private key of --kubelet-client-certificate, PEM',
      ),
      flag(
        'kubelet-certificate-authority',
        'kubeletCertificateAuthority',
        file,
        'CA bundle that verifies kubelets, PEM; without it they are not verified',
      ),
      flag(
        'proxy-client-cert-file',
        'proxyClientCertFile',
        file,
        'client certificate for aggregated API servers, PEM; by default the server creates one',
      ),
      flag(
        'proxy-client-key-file',
        'proxyClientKeyFile',
        file,
        'private key of --proxy-client-cert-file, PEM',
      ),
    ],
  },
  {
    title: 'APIs and features',
    flags: [
      mapFlag(
        'runtime-config',
        'runtimeConfig',
        boolMap('KEY=BOOL,...', true),
        'enable or disable API group versions and resources',
      ),
      mapFlag('feature-gates', 'featureGates', boolMap('GATE=BOOL,...'), 'enable or disable features'),
      flag(
        'emulated-version',
        'emulatedVersion',
        release,
        'earlier release to emulate, 1.31 or later: its feature gates, and no API introduced later',
      ),
    ],
  },
  {
    title: 'Requests',
    flags: [
      flag('request-timeout', 'requestTimeout', duration, 'timeout of requests other than watches'),
      flag(
        'min-request-timeout',
        'minRequestTimeout',
        duration,
        'shortest timeout of a watch without timeoutSeconds; the actual one is random, up to twice as long',
      ),
      flag(
        'enable-priority-and-fairness',
        'enablePriorityAndFairness',
        bool,
        'queue requests by FlowSchema and PriorityLevelConfiguration (API Priority and Fairness)',
      ),
      flag(
        'max-requests-inflight',
        'maxRequestsInflight',
        count,
        'maximum concurrent read requests; 0 is no limit; with priority and fairness, both maxima together are the total concurrency',
      ),
      flag(
        'max-mutating-requests-inflight',
        'maxMutatingRequestsInflight',
        count,
        'maximum concurrent write requests; 0 is no limit; see --max-requests-inflight',
      ),
    ],
  },
  {
    title: 'Objects',
    flags: [
      flag(
        'service-cluster-ip-range',
        'serviceClusterIpRange',
        cidrs,
        'CIDR for cluster IPs, or one for each IP family with the default family first',
      ),
      flag(
        'service-node-port-range',
        'serviceNodePortRange',
        portRange,
        'port range for node ports: 30000-32767, or 30000+2768',
      ),
      flag('allow-privileged', 'allowPrivileged', bool, 'allow privileged containers'),
      flag(
        'serving-threads',
        'servingThreads',
        countOrAuto,
        'threads that serve requests on the same ports, on Linux and not with storage memory; auto is one for each processor',
      ),
      flag(
        'write-threads',
        'writeThreads',
        countOrAuto,
        'worker threads that prepare writes while the serving thread is busy; one more prepares large writes; auto is the number of processors less one, at most 4; 0 disables all of them',
      ),
      flag('event-ttl', 'eventTtl', duration, 'time to keep Events'),
    ],
  },
  {
    title: 'Operation',
    flags: [
      flag(
        'shutdown-delay-duration',
        'shutdownDelayDuration',
        duration,
        'time to keep serving after a stop signal, with /readyz failing, before connections are drained',
      ),
      flag('console', 'console', bool, 'serve the web console at /console/'),
      flag('deprecation-warnings', 'deprecationWarnings', bool, 'warn about deprecated flags'),
    ],
  },
  {
    title: 'Metrics',
    flags: [
      flag(
        'show-hidden-metrics-for-version',
        'showHiddenMetricsForVersion',
        release,
        'show the metrics hidden in this release; the only allowed value is the previous release',
      ),
      flag('disabled-metrics', 'disabledMetrics', names, 'metrics to disable'),
      mapFlag(
        'allow-metric-labels',
        'allowMetricLabels',
        labelLists,
        'allowed values of a metric label; other values are counted as "unexpected"',
      ),
      flag(
        'allow-metric-labels-manifest',
        'allowMetricLabelsManifest',
        file,
        'YAML file with allowed label values; --allow-metric-labels takes precedence',
      ),
    ],
  },
  { title: 'Audit', flags: auditFlags },
  {
    title: 'Logging',
    flags: [
      flag(
        'v',
        'verbosity',
        count,
        'log verbosity: 0 logs what an operator must know, 3 adds the access log',
      ),
    ],
  },
];

/** Flags of both commands. */
export const serverFlags: readonly Flag<ServerOptions>[] = serverFlagGroups.flatMap(({ flags }) => flags);
