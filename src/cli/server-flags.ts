import { canonicalCidr } from '../api/meta/address-rules.ts';
import { readCidr } from '../api/meta/cidr.ts';
import { type AuthorizationMode, authorizationModes } from '../auth/authorization-modes.ts';
import { knownControllers } from '../controllers.ts';
import type { ServerOptions } from '../options.ts';
import { CommandError } from './command.ts';
import { formatDuration, parseDuration } from './duration.ts';
import type { Flag } from './flags.ts';

/** How the value of a flag is read and shown. */
interface ValueType<T> {
  readonly placeholder: string;
  parse(text: string): T;
  show(value: T): string;
}

const folder: ValueType<string> = { placeholder: 'DIR', parse: notEmpty, show: String };
const file: ValueType<string | undefined> = {
  placeholder: 'FILE',
  parse: notEmpty,
  show: (path) => path ?? '',
};
const address: ValueType<string> = { placeholder: 'ADDRESS', parse: notEmpty, show: String };
const count: ValueType<number> = {
  placeholder: 'N',
  parse: (text) => wholeNumber(text, 1_000_000),
  show: String,
};
const bytes: ValueType<number> = {
  placeholder: 'N',
  parse: (text) => wholeNumber(text, 999_999_999),
  show: String,
};
const countOrAuto: ValueType<number | 'auto'> = {
  placeholder: 'auto|N',
  parse: (text) => (text === 'auto' ? text : wholeNumber(text, 64)),
  show: String,
};
const duration: ValueType<number> = { placeholder: 'DURATION', parse: parseDuration, show: formatDuration };

const portOrOff: ValueType<number | undefined> = {
  placeholder: 'PORT',
  parse: (text) => wholeNumber(text, 65_535) || undefined,
  show: (port) => String(port ?? 0),
};

const port: ValueType<number | undefined> = {
  placeholder: 'PORT',
  parse(text) {
    const number = wholeNumber(text, 65_535);
    if (number === 0) throw new CommandError('HTTPS cannot be turned off with 0');
    return number;
  },
  show: String,
};

function choice<T extends string>(...values: readonly T[]): ValueType<T> {
  return {
    placeholder: values.join('|'),
    parse(text) {
      const value = values.find((candidate) => candidate === text);
      if (value === undefined)
        throw new CommandError(`${JSON.stringify(text)} is not one of ${values.join(', ')}`);
      return value;
    },
    show: String,
  };
}

/** `A=true,B=false`; without a value a key stands for `bare`, or is refused. */
function switches(placeholder: string, bare?: true): ValueType<Readonly<Record<string, boolean>>> {
  return {
    placeholder,
    parse: (text) =>
      Object.fromEntries(
        text
          .split(',')
          .filter((pair) => pair.trim() !== '')
          .map(readSwitch),
      ),
    show: (values) =>
      Object.entries(values)
        .map(([key, value]) => `${key}=${value}`)
        .join(','),
  };

  function readSwitch(pair: string): [key: string, on: boolean] {
    const [key = '', value] = pair.split('=', 2).map((part) => part.trim());
    const on = value === undefined ? bare : truth(value);
    if (on !== undefined) return [key, on];
    throw new CommandError(
      value === undefined
        ? `missing bool value for ${key}; write ${key}=true or ${key}=false`
        : `invalid value of ${key}=${value}; write ${key}=true or ${key}=false`,
    );
  }
}

/** The ways to say yes and no that upstream understands. */
function truth(text: string): boolean | undefined {
  if (/^(1|t|T|true|True|TRUE)$/.test(text)) return true;
  return /^(0|f|F|false|False|FALSE)$/.test(text) ? false : undefined;
}

const yesOrNo: ValueType<boolean> = {
  placeholder: 'BOOL',
  parse(text) {
    const value = truth(text);
    if (value === undefined) throw new CommandError(`${JSON.stringify(text)} is neither true nor false`);
    return value;
  },
  show: String,
};

const texts = (placeholder: string): ValueType<readonly string[]> => ({
  placeholder,
  parse: (text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  show: (values) => values.join(','),
});

const files: ValueType<readonly string[]> = {
  placeholder: 'FILE',
  parse: (text) => [notEmpty(text)],
  show: (paths) => paths.join(','),
};

const issuer: ValueType<readonly string[]> = {
  placeholder: 'ISSUER',
  parse(text) {
    if (text.includes(':') && !URL.canParse(text)) {
      throw new CommandError(`${JSON.stringify(text)} contains a ':' but is no valid URL`);
    }
    return [notEmpty(text)];
  },
  show: (issuers) => issuers.join(','),
};

const httpsUrl: ValueType<string | undefined> = {
  placeholder: 'URL',
  parse(text) {
    if (!URL.canParse(text) || !text.startsWith('https://')) {
      throw new CommandError(`${JSON.stringify(text)} is no URL that begins with https://`);
    }
    return text;
  },
  show: (url) => url ?? '',
};

const longestToken = 2 ** 32 * 1000;
const tokenLife: ValueType<number> = {
  ...duration,
  parse(text) {
    const life = parseDuration(text);
    if (life !== 0 && (life < 3_600_000 || life > longestToken)) {
      throw new CommandError('must be between 1 hour and 2^32 seconds');
    }
    return life;
  },
};

const addressRanges: ValueType<readonly string[]> = {
  placeholder: 'CIDR[,CIDR]',
  parse(text) {
    const ranges = text.split(',').map((part) => part.trim());
    for (const range of ranges) {
      const problem = canonicalCidr(range)[0];
      if (problem !== undefined) throw new CommandError(`${JSON.stringify(range)} ${problem}`);
    }
    const families = ranges.map((range) => readCidr(range)?.family);
    if (ranges.length > 2) throw new CommandError('must not hold more than two ranges');
    if (families[0] === families[1]) throw new CommandError('two ranges must be of different families');
    return ranges;
  },
  show: (ranges) => ranges.join(','),
};

const portRange: ValueType<ServerOptions['serviceNodePortRange']> = {
  placeholder: 'FIRST-LAST',
  parse(text) {
    const [, start = '', sign, end = ''] = /^(\d{1,5})(?:([-+])(\d{1,5}))?$/.exec(text.trim()) ?? [];
    const first = wholeNumber(start, 65_535);
    const last = sign === undefined ? first : Number(end) + (sign === '+' ? first : 0);
    if (first < 1 || last > 65_535 || last < first) {
      throw new CommandError(`${JSON.stringify(text)} is not a range of ports such as 30000-32767`);
    }
    return { first, last };
  },
  show: ({ first, last }) => `${first}-${last}`,
};

const release: ValueType<string> = { placeholder: 'RELEASE', parse: String, show: String };

const names: ValueType<readonly string[]> = {
  placeholder: 'NAME,...',
  parse: (text) => text.split(',').filter((name) => name !== ''),
  show: (values) => values.join(','),
};

/** `metric,label=value,value`; several of them each in double quotes, with commas between. */
const labelLists: ValueType<Readonly<Record<string, string>>> = {
  placeholder: 'METRIC,LABEL=VALUE,...',
  parse: (text) => Object.fromEntries(labelPairs(text).map(readLabelPair)),
  show: (lists) =>
    Object.entries(lists)
      .map(([key, values]) => JSON.stringify(`${key}=${values}`))
      .join(','),
};

function labelPairs(text: string): string[] {
  if (text.split('=').length <= 2) return [text.replace(/^"+|"+$/g, '')];
  return [...text.matchAll(/"((?:[^"]|"")*)"(?:,|$)|([^,]*)(?:,|$)/g)]
    .map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '')
    .filter((pair) => pair !== '');
}

function readLabelPair(pair: string): [key: string, values: string] {
  const at = pair.indexOf('=');
  if (at < 0) throw new CommandError(`${pair} must be formatted as key=value`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

const modes: ValueType<readonly AuthorizationMode[]> = {
  placeholder: 'MODE[,MODE]',
  parse(text) {
    const asked = text.split(',').map((part) => part.trim());
    for (const mode of asked) {
      if (mode === 'Node' || mode === 'ABAC' || mode === 'Webhook') {
        throw new CommandError(
          `${mode} is not among the modes of this server: ${authorizationModes.join(', ')}`,
        );
      }
      if (!isMode(mode)) {
        throw new CommandError(`${JSON.stringify(mode)} is not one of ${authorizationModes.join(', ')}`);
      }
    }
    if (new Set(asked).size < asked.length) throw new CommandError('must not name a mode twice');
    return asked.filter(isMode);
  },
  show: (asked) => asked.join(','),
};

const controllers: ValueType<readonly string[]> = {
  placeholder: '*|NAME|-NAME,...',
  parse(text) {
    const asked = text.split(',').map((part) => part.trim());
    for (const name of asked) {
      if (name !== '*' && !knownControllers.some((known) => known === name.replace(/^-/, ''))) {
        throw new CommandError(`${JSON.stringify(name)} is not in the list of known controllers`);
      }
    }
    return asked;
  },
  show: (asked) => asked.join(','),
};

const isMode = (text: string): text is AuthorizationMode => authorizationModes.some((mode) => mode === text);

function notEmpty(text: string): string {
  if (text === '') throw new CommandError('must not be empty');
  return text;
}

function wholeNumber(text: string, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= most)) throw new CommandError(`${JSON.stringify(text)} is not a number from 0 to ${most}`);
  return number;
}

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
    choice('lmdb', 'memory'),
    'lmdb keeps objects on disk, memory forgets them on exit',
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
    'controllers',
    'controllers',
    controllers,
    'which controllers run inside the server: * is all, -NAME all but that one',
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
    'threads that work out writes while the serving one is busy; auto is one less than there are processors, 4 at most',
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
