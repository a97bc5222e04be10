import type { ServerOptions } from '../options.ts';
import {
  address,
  addressRanges,
  bytes,
  choice,
  controllers,
  count,
  countOrAuto,
  duration,
  file,
  files,
  folder,
  httpsUrl,
  issuer,
  keyPrefix,
  labelLists,
  modes,
  names,
  plugins,
  port,
  portOrOff,
  portRange,
  release,
  servers,
  switches,
  texts,
  tokenLife,
  type ValueType,
  yesNoOrOpen,
  yesOrNo,
} from './flag-values.ts';
import type { Flag } from './flags.ts';

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
    show: (options) => type.show(options[option]),
  };
}

/** A flag that may be given several times, each adding to the ones before. */
function gathering<K extends 'runtimeConfig' | 'featureGates' | 'allowMetricLabels'>(
  name: string,
  option: K,
  type: ValueType<ServerOptions[K]>,
  about: string,
): Flag<ServerOptions> {
  return {
    ...flag(name, option, type, about),
    parse: (text, before) => ({ [option]: { ...before[option], ...type.parse(text) } }),
  };
}

/** A flag with a list, each mention of which adds to the ones before. */
function listing<K extends ListOption>(
  name: string,
  option: K,
  type: ValueType<readonly string[]>,
  about: string,
): Flag<ServerOptions> {
  return {
    ...flag(name, option, type, about),
    parse: (text, before) => ({ [option]: [...(before[option] ?? []), ...type.parse(text)] }),
  };
}

type ListOption =
  | 'apiAudiences'
  | 'serviceAccountIssuer'
  | 'serviceAccountKeyFile'
  | 'requestheaderAllowedNames'
  | 'requestheaderUsernameHeaders'
  | 'requestheaderUidHeaders'
  | 'requestheaderGroupHeaders'
  | 'requestheaderExtraHeadersPrefix';

/** The one flag that only `orch dev` has: in production nothing listens without TLS. */
export const httpPort = flag(
  'http-port',
  'httpPort',
  portOrOff,
  'plain HTTP on loopback, where every caller is admin without credentials; 0 turns it off',
);

const auditFlags: readonly Flag<ServerOptions>[] = [
  flag(
    'audit-policy-file',
    'auditPolicyFile',
    file,
    'what is audited, YAML; nothing is without it and --audit-log-path',
  ),
  flag('audit-log-path', 'auditLogPath', file, 'where audit events are written; - is standard output'),
  flag(
    'audit-log-format',
    'auditLogFormat',
    choice('json', 'legacy'),
    'what a line of the audit log looks like',
  ),
  flag(
    'audit-log-mode',
    'auditLogMode',
    choice('batch', 'blocking', 'blocking-strict'),
    'a slow log loses events, holds up requests, or beyond that refuses those it cannot hold',
  ),
  flag(
    'audit-log-batch-buffer-size',
    'auditLogBatchBufferSize',
    count,
    'how many audit events may wait in mode batch',
  ),
  flag(
    'audit-log-batch-max-wait',
    'auditLogBatchMaxWait',
    duration,
    'how long audit events are gathered before they are written at once',
  ),
  flag('audit-log-maxsize', 'auditLogMaxsize', count, 'megabytes after which a new audit log is begun'),
  flag('audit-log-maxbackup', 'auditLogMaxbackup', count, 'how many old audit logs are kept; 0 is all'),
  flag(
    'audit-log-maxage',
    'auditLogMaxage',
    count,
    'for how many days old audit logs are kept; 0 is forever',
  ),
  flag('audit-log-compress', 'auditLogCompress', yesOrNo, 'whether old audit logs are compressed with gzip'),
  flag(
    'audit-log-truncate-enabled',
    'auditLogTruncateEnabled',
    yesOrNo,
    'whether long audit events go without the objects of request and answer',
  ),
  flag(
    'audit-log-truncate-max-event-size',
    'auditLogTruncateMaxEventSize',
    bytes,
    'from how many bytes on an audit event is long',
  ),
];

/** What both `orch dev` and `orch serve` take, with upstream's names where upstream has the flag. */
export const serverFlags: readonly Flag<ServerOptions>[] = [
  flag(
    'dialect',
    'dialect',
    choice('orch', 'kubernetes'),
    'whose names the API speaks: its own, or those kubectl and operators expect',
  ),
  flag('data-dir', 'dataDir', folder, 'where the data is kept'),
  flag(
    'storage',
    'storage',
    choice('lmdb', 'memory', 'etcd'),
    'lmdb keeps objects on disk, memory forgets them on exit, etcd shares them with other servers',
  ),
  flag('etcd-servers', 'etcdServers', servers, 'the members of etcd, for --storage etcd'),
  flag('etcd-cafile', 'etcdCafile', file, 'who signs the certificates of etcd, PEM'),
  flag('etcd-certfile', 'etcdCertfile', file, 'the certificate this server shows to etcd, PEM'),
  flag('etcd-keyfile', 'etcdKeyfile', file, 'the key of --etcd-certfile, PEM'),
  flag('etcd-prefix', 'etcdPrefix', keyPrefix, 'what the keys in etcd begin with'),
  flag(
    'etcd-compaction-interval',
    'etcdCompactionInterval',
    duration,
    'how often one of the servers has etcd forget the history before last time; 0s is never',
  ),
  flag('secure-port', 'securePort', port, 'HTTPS'),
  flag('bind-address', 'bindAddress', address, 'the address HTTPS listens on'),
  flag(
    'tls-cert-file',
    'tlsCertFile',
    file,
    'serving certificate, PEM; without it one is made on first start',
  ),
  flag('tls-private-key-file', 'tlsPrivateKeyFile', file, 'the key of --tls-cert-file, PEM'),
  flag('client-ca-file', 'clientCaFile', file, 'who signs the client certificates that are believed, PEM'),
  flag('token-auth-file', 'tokenAuthFile', file, 'bearer tokens as CSV: token,user,uid,"group1,group2"'),
  flag(
    'anonymous-auth',
    'anonymousAuth',
    yesOrNo,
    'whether who shows no credentials is let in as the anonymous user',
  ),
  flag(
    'requestheader-client-ca-file',
    'requestheaderClientCaFile',
    file,
    'who signs the certificates of proxies that may say in headers whom they speak for, PEM',
  ),
  listing(
    'requestheader-allowed-names',
    'requestheaderAllowedNames',
    texts('NAME,...'),
    'the common names of such proxies; without any, every name is',
  ),
  listing(
    'requestheader-username-headers',
    'requestheaderUsernameHeaders',
    texts('HEADER,...'),
    'where a proxy names the user; the first that is there counts',
  ),
  listing(
    'requestheader-uid-headers',
    'requestheaderUidHeaders',
    texts('HEADER,...'),
    'where a proxy gives the uid of the user; needs the gate RemoteRequestHeaderUID',
  ),
  listing(
    'requestheader-group-headers',
    'requestheaderGroupHeaders',
    texts('HEADER,...'),
    'where a proxy names the groups of the user',
  ),
  listing(
    'requestheader-extra-headers-prefix',
    'requestheaderExtraHeadersPrefix',
    texts('PREFIX,...'),
    'how headers begin in which a proxy says more of the user',
  ),
  listing(
    'api-audiences',
    'apiAudiences',
    texts('AUDIENCE,...'),
    'whom tokens of service accounts must be meant for; by default the issuers',
  ),
  listing(
    'service-account-issuer',
    'serviceAccountIssuer',
    issuer,
    'who issues tokens of service accounts; given several times, the first is for new ones and all are good',
  ),
  flag(
    'service-account-signing-key-file',
    'serviceAccountSigningKeyFile',
    file,
    'private key that signs tokens of service accounts, PEM; without it one is made on first start',
  ),
  listing(
    'service-account-key-file',
    'serviceAccountKeyFile',
    files,
    'further keys by which tokens of service accounts are good, PEM; may be given several times',
  ),
  flag(
    'service-account-jwks-uri',
    'serviceAccountJwksUri',
    httpsUrl,
    'where others find those keys; by default at this server',
  ),
  flag(
    'service-account-max-token-expiration',
    'serviceAccountMaxTokenExpiration',
    tokenLife,
    'how long a token of a service account may last; 0s is as long as asked for',
  ),
  flag(
    'service-account-extend-token-expiration',
    'serviceAccountExtendTokenExpiration',
    yesOrNo,
    'whether tokens of pods last a year instead of an hour, for programs that do not read them again',
  ),
  flag(
    'service-account-lookup',
    'serviceAccountLookup',
    yesOrNo,
    'whether tokens kept in Secrets are good only as long as these have them',
  ),
  flag(
    'authorization-mode',
    'authorizationMode',
    modes,
    'who decides what a request may do; of several, one that allows it is enough',
  ),
  flag(
    'enable-admission-plugins',
    'enableAdmissionPlugins',
    plugins,
    'who else has a say in writes, beyond those that do by default',
  ),
  flag(
    'disable-admission-plugins',
    'disableAdmissionPlugins',
    plugins,
    'which of those that have a say in writes by default do not',
  ),
  flag(
    'default-not-ready-toleration-seconds',
    'defaultNotReadyTolerationSeconds',
    count,
    'how many seconds pods stay on a node that is not ready, unless they say so themselves',
  ),
  flag(
    'default-unreachable-toleration-seconds',
    'defaultUnreachableTolerationSeconds',
    count,
    'the same of a node that cannot be reached',
  ),
  flag(
    'controllers',
    'controllers',
    controllers,
    'which controllers run inside the server: * is all, -NAME all but that one, -* none',
  ),
  flag(
    'leader-elect',
    'leaderElect',
    yesNoOrOpen,
    'whether controllers run only while this server leads, of all that share its storage; by default on etcd',
  ),
  flag(
    'leader-elect-lease-duration',
    'leaderElectLeaseDuration',
    duration,
    'after how long others take the place of a leader that is silent',
  ),
  flag(
    'leader-elect-renew-deadline',
    'leaderElectRenewDeadline',
    duration,
    'after how long a leader that could not renew its lease gives up',
  ),
  flag(
    'leader-elect-retry-period',
    'leaderElectRetryPeriod',
    duration,
    'how often a lease is renewed, or asked for',
  ),
  flag(
    'cluster-signing-cert-file',
    'clusterSigningCertFile',
    file,
    'who signs the certificates that others ask for, PEM; without it the authority in --cert-dir',
  ),
  flag(
    'cluster-signing-key-file',
    'clusterSigningKeyFile',
    file,
    'the key of --cluster-signing-cert-file, PEM',
  ),
  flag(
    'cluster-signing-duration',
    'clusterSigningDuration',
    duration,
    'how long certificates last that others ask for, unless they ask for less',
  ),
  flag(
    'cert-dir',
    'certDir',
    folder,
    'where certificates made by the server are kept; by default pki/ in the data directory',
  ),
  flag(
    'kubelet-client-certificate',
    'kubeletClientCertificate',
    file,
    'client certificate to show to kubelets, PEM',
  ),
  flag('kubelet-client-key', 'kubeletClientKey', file, 'the key of --kubelet-client-certificate, PEM'),
  flag(
    'kubelet-certificate-authority',
    'kubeletCertificateAuthority',
    file,
    'who signs the certificates of kubelets, PEM; without it they are not checked',
  ),
  flag(
    'proxy-client-cert-file',
    'proxyClientCertFile',
    file,
    'client certificate to show to the servers behind APIServices, PEM; by default one that the server makes for that',
  ),
  flag('proxy-client-key-file', 'proxyClientKeyFile', file, 'the key of --proxy-client-cert-file, PEM'),
  gathering(
    'runtime-config',
    'runtimeConfig',
    switches('KEY=BOOL,...', true),
    'which group versions and resources are served, beyond or short of the stable ones',
  ),
  gathering(
    'feature-gates',
    'featureGates',
    switches('GATE=BOOL,...'),
    'features to be on or off other than by default',
  ),
  flag(
    'emulated-version',
    'emulatedVersion',
    release,
    'an earlier release to be like, from 1.31 on: its features, and no API that came later',
  ),
  flag('request-timeout', 'requestTimeout', duration, 'how long a request may take, unless it is a watch'),
  flag(
    'min-request-timeout',
    'minRequestTimeout',
    duration,
    'how long a watch stays open at least; up to twice as long, at random',
  ),
  flag(
    'enable-priority-and-fairness',
    'enablePriorityAndFairness',
    yesOrNo,
    'whether requests take turns by FlowSchemas and priority levels',
  ),
  flag(
    'max-requests-inflight',
    'maxRequestsInflight',
    count,
    'how many reads may run at once; with fairness, the seats for both; 0 is no limit',
  ),
  flag(
    'max-mutating-requests-inflight',
    'maxMutatingRequestsInflight',
    count,
    'how many writes may run at once; with fairness, more seats for both; 0 is no limit',
  ),
  flag(
    'service-cluster-ip-range',
    'serviceClusterIpRange',
    addressRanges,
    'what services get their addresses from: a range, or one of each family, the default first',
  ),
  flag(
    'service-node-port-range',
    'serviceNodePortRange',
    portRange,
    'what services get their ports on nodes from: 30000-32767, or 30000+2768',
  ),
  flag(
    'allow-privileged',
    'allowPrivileged',
    yesOrNo,
    'whether pods may have containers that are root on their node',
  ),
  flag(
    'write-threads',
    'writeThreads',
    countOrAuto,
    'threads that work out writes while the serving one is busy, beside one for large writes; auto is one less than there are processors, 4 at most; 0 is none at all',
  ),
  flag('event-ttl', 'eventTtl', duration, 'how long events are kept'),
  flag(
    'shutdown-delay-duration',
    'shutdownDelayDuration',
    duration,
    'how long to go on serving, while /readyz already says no, before draining',
  ),
  flag(
    'deprecation-warnings',
    'deprecationWarnings',
    yesOrNo,
    'whether to complain when a deprecated flag is used',
  ),
  flag(
    'show-hidden-metrics-for-version',
    'showHiddenMetricsForVersion',
    release,
    'the release before this one, to see metrics once more that this one hides',
  ),
  flag('disabled-metrics', 'disabledMetrics', names, 'metrics that are not wanted'),
  gathering(
    'allow-metric-labels',
    'allowMetricLabels',
    labelLists,
    'values of a label that are told apart; others count as "unexpected"',
  ),
  flag(
    'allow-metric-labels-manifest',
    'allowMetricLabelsManifest',
    file,
    'YAML file with the lists of --allow-metric-labels, which win over it',
  ),
  ...auditFlags,
  flag('v', 'verbosity', count, 'how much to log: 0 what an operator must know, 3 every request'),
];
