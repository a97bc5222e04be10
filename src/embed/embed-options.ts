// The options of startServer for embedders, validated at run time: callers in plain JavaScript have no compiler.
import { nearest } from '../base/nearest.ts';
import { defaultOptions, type ServerOptions } from './options.ts';

export const embedOptionNames = [
  'dialect',
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
] as const satisfies readonly (keyof ServerOptions)[];

type EmbedOptionName = (typeof embedOptionNames)[number];

/** The options of an embedded server; each has a default. */
export type EmbedOptions = Pick<ServerOptions, EmbedOptionName>;

/** The values of options that accept only some strings. */
const allowedValues: Partial<Record<EmbedOptionName, readonly string[]>> = {
  dialect: ['orch', 'kubernetes'],
  auditLogFormat: ['json', 'legacy'],
  auditLogMode: ['batch', 'blocking', 'blocking-strict'],
};

/**
 * Returns the options that the caller set. Throws a TypeError for an unknown option or a value of the wrong type.
 * `undefined` keeps the default, except for `httpPort`, where it disables the plain HTTP listener.
 */
export function parseEmbedOptions(options: Partial<EmbedOptions>): Partial<EmbedOptions> {
  const setOptions = Object.entries(options).filter(
    ([name, value]) => value !== undefined || name === 'httpPort',
  );
  for (const [name, value] of setOptions) {
    if (!isEmbedOption(name)) {
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
  return Object.fromEntries(setOptions);
}

function isEmbedOption(name: string): name is EmbedOptionName {
  return (embedOptionNames as readonly string[]).includes(name);
}

/** Describes the expected value; undefined if `value` is valid. Most options must have the type of their default. */
function expectedIfInvalid(name: EmbedOptionName, value: unknown): string | undefined {
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
