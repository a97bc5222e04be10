// The options of startServer for embedders, validated at run time: callers in plain JavaScript have no compiler.
import { MovableClock } from '../base/clock.ts';
import { nearest } from '../base/nearest.ts';
import { defaultOptions, type ServerOptions } from '../server/options.ts';
import type { AdmissionFunctions } from './admission-functions.ts';
import type { EmbeddedKind } from './kind-definition.ts';
import type { ManifestSource } from './manifests.ts';

/** Those that have a flag, too. */
const flagOptionNames = [
  'dialect',
  'dataDir',
  'httpPort',
  'securePort',
  'certDir',
  'tokenAuthFile',
  'eventTtl',
  'allowPrivileged',
  'requestTimeout',
  'enablePriorityAndFairness',
  'maxRequestsInflight',
  'maxMutatingRequestsInflight',
  'minRequestTimeout',
  'runtimeConfig',
  'featureGates',
  'emulatedVersion',
  'showHiddenMetricsForVersion',
  'disabledMetrics',
  'allowMetricLabels',
  'allowMetricLabelsManifest',
  'serviceClusterIpRange',
  'serviceNodePortRange',
  'enableAdmissionPlugins',
  'disableAdmissionPlugins',
  'defaultNotReadyTolerationSeconds',
  'defaultUnreachableTolerationSeconds',
  'controllers',
  'nodes',
  'nodeStages',
  'namespaceDeletionDelay',
  'nodeMonitorGracePeriod',
  'terminatedPodGcThreshold',
  'schedulerConfig',
  'kubeletClientCertificate',
  'kubeletClientKey',
  'kubeletCertificateAuthority',
  'proxyClientCertFile',
  'proxyClientKeyFile',
  'auditPolicyFile',
  'auditLogPath',
  'auditLogFormat',
  'auditLogMode',
  'auditLogMaxsize',
  'auditLogMaxbackup',
  'auditLogMaxage',
  'auditLogCompress',
  'auditLogTruncateEnabled',
  'auditLogTruncateMaxEventSize',
  'console',
] as const satisfies readonly (keyof ServerOptions)[];

type FlagOptionName = (typeof flagOptionNames)[number];
type FlagOptions = Pick<ServerOptions, FlagOptionName>;

/** What only a program that embeds the server can pass. */
export interface EmbedderOptions {
  /** The built-in groups to serve, such as `apps`, or group versions such as `apps/v1`; '' is the core group. Default: all. */
  readonly groups: readonly string[];
  /** Kinds of this program, served as custom resources. */
  readonly kinds: readonly EmbeddedKind[];
  /** CustomResourceDefinitions to apply at the start, and to wait for: files, folders or objects. */
  readonly crds: readonly ManifestSource[];
  /** Objects to apply at the start: files, folders or objects. */
  readonly manifests: readonly ManifestSource[];
  /** Admission by functions of this program. */
  readonly plugins: readonly AdmissionFunctions[];
  /** The clock of the server. */
  readonly clock: MovableClock;
  /** Bearer tokens and their users. */
  readonly auth: { readonly tokens: Readonly<Record<string, EmbeddedUser>> };
}

/** A user name, or a user with groups. */
export type EmbeddedUser = string | { readonly name: string; readonly groups?: readonly string[] };

/** The options of an embedded server; each has a default. */
export type EmbedOptions = FlagOptions & EmbedderOptions;

const isStrings = (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string');
const isObjects = (value: unknown) => Array.isArray(value) && value.every(isObjectValue);
const isObjectValue = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isManifests = (value: unknown) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string' || isObjectValue(item));
const manifestsExpected = 'an array of files, folders and objects';

/** What each option of embedders must be. */
const embedderOptions: Readonly<
  Record<keyof EmbedderOptions, { readonly expected: string; isValid(value: unknown): boolean }>
> = {
  groups: { expected: 'an array of API groups', isValid: isStrings },
  kinds: { expected: 'an array of kinds', isValid: isObjects },
  crds: { expected: manifestsExpected, isValid: isManifests },
  manifests: { expected: manifestsExpected, isValid: isManifests },
  plugins: { expected: 'an array of admission functions', isValid: isObjects },
  clock: { expected: 'a MovableClock', isValid: (value) => value instanceof MovableClock },
  auth: {
    expected: 'an object with tokens, such as { tokens: { secret: "jane" } }',
    isValid: (value) => isObjectValue(value) && isObjectValue((value as { tokens?: unknown }).tokens),
  },
};

export const embedOptionNames: readonly string[] = [...flagOptionNames, ...Object.keys(embedderOptions)];

/** The values of options that accept only some strings. */
const allowedValues: Partial<Record<FlagOptionName, readonly string[]>> = {
  dialect: ['orch', 'kubernetes'],
  auditLogFormat: ['json', 'legacy'],
  auditLogMode: ['batch', 'blocking', 'blocking-strict'],
};

/**
 * Returns the options that the caller set. Throws a TypeError for an unknown option or a value of the wrong type.
 * `undefined` keeps the default, except for `httpPort`, where it disables the plain HTTP listener.
 */
export function parseEmbedOptions(options: Partial<EmbedOptions>): ParsedEmbedOptions {
  const setOptions = Object.entries(options).filter(
    ([name, value]) => value !== undefined || name === 'httpPort',
  );
  for (const [name, value] of setOptions) {
    if (!embedOptionNames.includes(name)) {
      const suggestion = nearest(name, embedOptionNames);
      throw new TypeError(
        `startServer has no option ${name}${suggestion ? ` (did you mean ${suggestion}?)` : ''}`,
      );
    }
    const expected = expectedIfInvalid(name, value);
    if (expected !== undefined) {
      throw new TypeError(`startServer: ${name} must be ${expected}, not ${formatValue(value)}`);
    }
  }
  const isEmbedderOption = ([name]: [string, unknown]) => isEmbedderOptionName(name);
  return {
    flags: Object.fromEntries(setOptions.filter((entry) => !isEmbedderOption(entry))),
    embedder: Object.fromEntries(setOptions.filter(isEmbedderOption)),
  };
}

/** The options that the caller set. */
export interface ParsedEmbedOptions {
  readonly flags: Partial<FlagOptions>;
  readonly embedder: Partial<EmbedderOptions>;
}

const isEmbedderOptionName = (name: string): name is keyof EmbedderOptions =>
  Object.hasOwn(embedderOptions, name);

/** Describes the expected value; undefined if `value` is valid. Most options must have the type of their default. */
function expectedIfInvalid(name: string, value: unknown): string | undefined {
  if (isEmbedderOptionName(name)) {
    const { expected, isValid } = embedderOptions[name];
    return isValid(value) ? undefined : expected;
  }
  return expectedFlagValueIfInvalid(name as FlagOptionName, value);
}

function expectedFlagValueIfInvalid(name: FlagOptionName, value: unknown): string | undefined {
  const allowed = allowedValues[name];
  if (allowed !== undefined) return allowed.includes(value as string) ? undefined : allowed.join(' or ');
  if (name === 'httpPort' || name === 'securePort') {
    const isPort = Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535;
    return value === undefined || isPort ? undefined : 'a port from 0 to 65535';
  }
  const defaultValue = defaultOptions[name];
  if (Array.isArray(defaultValue)) {
    return Array.isArray(value) && value.every((item) => typeof item === 'string')
      ? undefined
      : 'an array of strings';
  }
  if (typeof defaultValue === 'object')
    return typeof value === 'object' && value !== null ? undefined : 'an object';
  if (typeof defaultValue === 'number') {
    return typeof value === 'number' && value >= 0 ? undefined : 'a number of at least 0';
  }
  if (typeof defaultValue === 'boolean') return typeof value === 'boolean' ? undefined : 'true or false';
  return typeof value === 'string' ? undefined : 'a string';
}

function formatValue(value: unknown): string {
  return typeof value === 'string' || typeof value === 'object' ? JSON.stringify(value) : String(value);
}
