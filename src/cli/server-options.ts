// The server options of `orch dev` and `orch serve`: the defaults of each command, and the checks that concern several flags.
import { join } from 'node:path';
import { unmanagedWorkloadController } from '../controllers/index.ts';
import { dialects } from '../dialect/index.ts';
import { defaultOptions, type ServerOptions } from '../server/options.ts';
import { CommandError } from './command.ts';
import { configFileOf, readConfigFile } from './config-file.ts';
import { type Flag, parseFlags } from './flags.ts';

/** `orch dev`: all APIs and plain HTTP, on loopback only. */
export const devDefaults: ServerOptions = {
  ...defaultOptions,
  httpPort: 8080,
  controllers: ['*', unmanagedWorkloadController],
  writeThreads: 'auto',
  runtimeConfig: { 'api/all': true },
  featureGates: { AllAlpha: true, AllBeta: true },
};

/** `orch serve`: HTTPS on all addresses, as upstream. */
export const serveDefaults: ServerOptions = {
  ...defaultOptions,
  bindAddress: '0.0.0.0',
  writeThreads: 'auto',
};

/** The lifetime of pod tokens with --service-account-extend-token-expiration. */
const extendedTokenLifetimeMs = 365 * 24 * 60 * 60 * 1000;

/** Throws CommandError for flags that contradict each other. `warn` receives deprecation warnings. */
export function parseServerOptions(
  flags: readonly Flag<ServerOptions>[],
  defaults: ServerOptions,
  args: readonly string[],
  warn: (warning: string) => void = () => {},
): ServerOptions {
  const { settings: ofCommandLine, positional, warnings } = parseFlags(flags, args);
  const configFile = configFileOf(args);
  const settings = { ...(configFile !== undefined && readConfigFile(flags, configFile)), ...ofCommandLine };
  if (positional.length > 0) throw new CommandError(`unexpected argument ${JSON.stringify(positional[0])}`);
  const options = {
    ...defaults,
    ...settings,
    runtimeConfig: { ...defaults.runtimeConfig, ...settings.runtimeConfig },
    featureGates: { ...defaults.featureGates, ...settings.featureGates },
  };
  assertPairedFlags(options);
  assertPluginsDoNotOverlap(options);
  assertExtendedTokensAllowed(options);
  if (options.httpPort !== undefined && options.httpPort === options.securePort) {
    throw new CommandError(`--http-port and --secure-port cannot both be ${options.httpPort}`);
  }
  assertLeaderElectionTiming(options);
  assertFlowControlServed(options);
  if (options.deprecationWarnings) for (const warning of warnings) warn(warning);
  return { ...options, certDir: settings.certDir ?? join(options.dataDir, 'pki') };
}

/** A certificate needs its private key, and etcd its URLs. */
function assertPairedFlags(options: ServerOptions): void {
  const isSet = (path: string | undefined) => path !== undefined;
  assertTogether(
    ['--tls-cert-file', isSet(options.tlsCertFile)],
    ['--tls-private-key-file', isSet(options.tlsPrivateKeyFile)],
  );
  assertTogether(
    ['--etcd-certfile', isSet(options.etcdCertfile)],
    ['--etcd-keyfile', isSet(options.etcdKeyfile)],
  );
  assertTogether(
    ['--storage etcd', options.storage === 'etcd'],
    ['--etcd-servers', options.etcdServers.length > 0],
  );
  if (isSet(options.nodeStages) && options.nodes === 0) throw new CommandError('--node-stages needs --nodes');
  assertTogether(
    ['--kubelet-client-certificate', isSet(options.kubeletClientCertificate)],
    ['--kubelet-client-key', isSet(options.kubeletClientKey)],
  );
  assertTogether(
    ['--cluster-signing-cert-file', isSet(options.clusterSigningCertFile)],
    ['--cluster-signing-key-file', isSet(options.clusterSigningKeyFile)],
  );
  assertTogether(
    ['--proxy-client-cert-file', isSet(options.proxyClientCertFile)],
    ['--proxy-client-key-file', isSet(options.proxyClientKeyFile)],
  );
}

type FlagUse = readonly [flag: string, isGiven: boolean];

function assertTogether([first, isFirstGiven]: FlagUse, [second, isSecondGiven]: FlagUse): void {
  if (isFirstGiven === isSecondGiven) return;
  throw new CommandError(`${first} and ${second} must be given together`);
}

function assertPluginsDoNotOverlap(options: ServerOptions): void {
  const { enableAdmissionPlugins: enabled, disableAdmissionPlugins: disabled } = options;
  const overlapping = enabled.filter((name) => disabled.includes(name));
  if (overlapping.length === 0) return;
  throw new CommandError(
    `[${overlapping.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`,
  );
}

/** A maximum lifetime of 0 is no limit. */
function assertExtendedTokensAllowed(options: ServerOptions): void {
  const { serviceAccountExtendTokenExpiration, serviceAccountMaxTokenExpiration: maxLifetimeMs } = options;
  const isTooShort = maxLifetimeMs > 0 && maxLifetimeMs < extendedTokenLifetimeMs;
  if (!serviceAccountExtendTokenExpiration || !isTooShort) return;
  throw new CommandError(
    '--service-account-extend-token-expiration issues tokens for one year, which exceeds --service-account-max-token-expiration',
  );
}

/** The leader must step down before its lease expires, and must try to renew the lease before it steps down. */
function assertLeaderElectionTiming({
  leaderElectLeaseDuration: leaseMs,
  leaderElectRenewDeadline: renewDeadlineMs,
  leaderElectRetryPeriod: retryPeriodMs,
}: ServerOptions): void {
  // Leases store whole seconds.
  if (Math.floor(leaseMs / 1000) * 1000 <= renewDeadlineMs) {
    throw new CommandError('--leader-elect-lease-duration must be longer than --leader-elect-renew-deadline');
  }
  if (retryPeriodMs === 0 || renewDeadlineMs <= retryPeriodMs) {
    throw new CommandError('--leader-elect-renew-deadline must be longer than --leader-elect-retry-period');
  }
}

/** Priority and fairness needs its API to be served. The most specific entry of --runtime-config counts. */
function assertFlowControlServed({ dialect, runtimeConfig, enablePriorityAndFairness }: ServerOptions): void {
  const version = dialects[dialect].apiVersion('flowcontrol.apiserver', 'v1');
  const key = [version, 'api/ga', 'api/all'].find((key) => runtimeConfig[key] !== undefined);
  if (enablePriorityAndFairness && key !== undefined && runtimeConfig[key] === false) {
    throw new CommandError(
      `--runtime-config=${key}=false conflicts with --enable-priority-and-fairness=true; disable it, or add ${version}=true`,
    );
  }
}
