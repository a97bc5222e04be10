// Pod Security admission: the policy (enforce, audit, warn) in the labels of a namespace.
import { type FieldError, invalid } from '../../../errors/field-error.ts';

const levels = ['privileged', 'baseline', 'restricted'] as const;
type Level = (typeof levels)[number];

/** A level of the Pod Security Standards in a version (upstream: LevelVersion). */
export interface Standard {
  readonly level: Level;
  /** The value of the label, such as `v1.25` or `latest`. */
  readonly version: string;
}

/** The standards that a namespace enforces, audits and warns about. */
export interface Policy {
  readonly enforce: Standard;
  readonly audit: Standard;
  readonly warn: Standard;
}

const modes = ['enforce', 'audit', 'warn'] as const;
const privilegedStandard: Standard = { level: 'privileged', version: 'latest' };
/** The policy of a namespace without labels. */
export const privilegedPolicy: Policy = {
  enforce: privilegedStandard,
  audit: privilegedStandard,
  warn: privilegedStandard,
};

export const formatStandard = ({ level, version }: Standard) => `${level}:${version}`;
const strictness = ({ level }: Standard) => levels.indexOf(level);

/** The minor version to evaluate; versions newer than `latest` count as `latest`. */
export function effectiveMinorVersion({ version }: Standard, latest: number): number {
  return version === 'latest' ? latest : Math.min(Number(version.slice('v1.'.length)), latest);
}

/** The labels of a namespace. Only some are looked up, out of very many. */
export type Labels = Pick<ReadonlyMap<string, string>, 'get' | 'has'>;

/** Parses the policy of a namespace. An invalid level counts as restricted, so that a typo does not disable the check. */
export function policyFromLabels(labels: Labels, prefix: string): Policy {
  const level = (mode: string, fallback: Level): Level => {
    const value = labels.get(prefix + mode);
    if (value === undefined) return fallback;
    return isLevel(value) ? value : 'restricted';
  };
  const version = (mode: string, fallback: string): string => {
    const value = labels.get(`${prefix}${mode}-version`);
    return value !== undefined && isVersion(value) ? value : fallback;
  };
  const enforce = {
    level: level('enforce', privilegedStandard.level),
    version: version('enforce', privilegedStandard.version),
  };
  return {
    enforce,
    audit: {
      level: level('audit', privilegedStandard.level),
      version: version('audit', privilegedStandard.version),
    },
    // Defaults to the enforce level, to warn about workload resources whose pods would be rejected.
    warn: labels.has(`${prefix}warn`)
      ? {
          level: level('warn', privilegedStandard.level),
          version: version('warn', privilegedStandard.version),
        }
      : { level: enforce.level, version: version('warn', enforce.version) },
  };
}

/** The errors of the Pod Security labels of a namespace. */
export function validatePolicyLabels(labels: Labels, prefix: string): FieldError[] {
  const check = (name: string, isValid: (value: string) => boolean, message: string) => {
    const value = labels.get(prefix + name);
    if (value === undefined || isValid(value)) return [];
    return [invalid(`metadata.labels[${prefix}${name}]`, value, message)];
  };
  return modes.flatMap((mode) => [
    ...check(mode, isLevel, `must be one of ${levels.join(', ')}`),
    ...check(`${mode}-version`, isVersion, 'must be "latest" or "v1.x"'),
  ]);
}

const isLevel = (value: string): value is Level => (levels as readonly string[]).includes(value);
const isVersion = (value: string) => value === 'latest' || /^v1\.(0|[1-9][0-9]{0,8})$/.test(value);

/** Whether every pod that meets `oldStandard` is known to meet `standard`. Different versions are not compared. */
export const isAtMostAsStrict = (standard: Standard, oldStandard: Standard) =>
  standard.level === 'privileged' ||
  (standard.version === oldStandard.version && strictness(standard) <= strictness(oldStandard));

export const isPrivilegedPolicy = ({ enforce, audit, warn }: Policy) =>
  [enforce, audit, warn].every(({ level }) => level === 'privileged');
