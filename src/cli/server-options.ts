// Server options from flags: defaults of each command, and checks across flags.
import { join } from 'node:path';
import { dialects } from '../dialect/index.ts';
import { defaultOptions, type ServerOptions } from '../server/options.ts';
import { CommandError } from './command.ts';
import { type Flag, parseFlags } from './flags.ts';

/** `orch dev`: all APIs and plain HTTP, on loopback only. */
export const devDefaults: ServerOptions = {
  ...defaultOptions,
  httpPort: 8080,
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

/** Parses the flags and validates them together. `warn` receives deprecation warnings. */
export function serverOptions(
  flags: readonly Flag<ServerOptions>[],
  defaults: ServerOptions,
  args: readonly string[],
  warn: (warning: string) => void = () => {},
): ServerOptions {
  const { settings, rest, warnings } = parseFlags(flags, args);
  if (rest.length > 0) throw new CommandError(`unexpected argument ${JSON.stringify(rest[0])}`);
  const options = {
    ...defaults,
    ...settings,
    runtimeConfig: { ...defaults.runtimeConfig, ...settings.runtimeConfig },
    featureGates: { ...defaults.featureGates, ...settings.featureGates },
  };
  if ((options.tlsCertFile === undefined) !== (options.tlsPrivateKeyFile === undefined)) {
    throw new CommandError('--tls-cert-file and --tls-private-key-file must be given together');
  }
  if ((options.etcdCertfile === undefined) !== (options.etcdKeyfile === undefined)) {
    throw new CommandError('--etcd-certfile and --etcd-keyfile must be given together');
  }
  if ((options.storage === 'etcd') !== options.etcdServers.length > 0) {
    throw new CommandError('--storage etcd and --etcd-servers must be given together');
  }
  if ((options.kubeletClientCertificate === undefined) !== (options.kubeletClientKey === undefined)) {
    throw new CommandError('--kubelet-client-certificate and --kubelet-client-key must be given together');
  }
  if ((options.clusterSigningCertFile === undefined) !== (options.clusterSigningKeyFile === undefined)) {
    throw new CommandError(
      '--cluster-signing-cert-file and --cluster-signing-key-file must be given together',
    );
  }
  if ((options.proxyClientCertFile === undefined) !== (options.proxyClientKeyFile === undefined)) {
    throw new CommandError('--proxy-client-cert-file and --proxy-client-key-file must be given together');
  }
  const overlapping = options.enableAdmissionPlugins.filter((name) =>
    options.disableAdmissionPlugins.includes(name),
  );
  if (overlapping.length > 0) {
    throw new CommandError(
      `[${overlapping.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`,
    );
  }
  const { serviceAccountMaxTokenExpiration: maxLifetimeMs } = options;
  if (
    options.serviceAccountExtendTokenExpiration &&
    maxLifetimeMs > 0 &&
    maxLifetimeMs < extendedTokenLifetimeMs
  ) {
    throw new CommandError(
      '--service-account-extend-token-expiration issues tokens for one year, which exceeds --service-account-max-token-expiration',
    );
  }
  if (options.httpPort !== undefined && options.httpPort === options.securePort) {
    throw new CommandError(`--http-port and --secure-port cannot both be ${options.httpPort}`);
  }
  validateLeaderElection(options);
  validatePriorityAndFairness(options);
  if (options.deprecationWarnings) for (const warning of warnings) warn(warning);
  return { ...options, certDir: settings.certDir ?? join(options.dataDir, 'pki') };
}

/** The leader must step down before its lease expires, and must try to renew the lease before it steps down. */
function validateLeaderElection({
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
function validatePriorityAndFairness({
  dialect,
  runtimeConfig,
  enablePriorityAndFairness,
}: ServerOptions): void {
  const version = dialects[dialect].apiVersion('flowcontrol.apiserver', 'v1');
  const key = [version, 'api/ga', 'api/all'].find((key) => runtimeConfig[key] !== undefined);
  if (enablePriorityAndFairness && key !== undefined && runtimeConfig[key] === false) {
    throw new CommandError(
      `--runtime-config=${key}=false conflicts with --enable-priority-and-fairness=true; disable it, or add ${version}=true`,
    );
  }
}
