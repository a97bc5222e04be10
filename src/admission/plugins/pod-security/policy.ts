// Pod Security admission: the policy (enforce, audit, warn) in the labels of a namespace.
import { type FieldError, invalid } from '../../../errors/field-error.ts';

const levels = ['privileged', 'baseline', 'restricted'] as const;
type Level = (typeof levels)[number];

/** A level of the Pod Security Standards, as a release has it. */
export interface Standard {
  readonly level: Level;
  /** `latest`, or `v1.25`: as it was said. */
  readonly version: string;
}

/** The standards that a namespace enforces, audits and warns about. */
export interface Policy {
  readonly enforce: Standard;
  readonly audit: Standard;
  readonly warn: Standard;
}

const modes = ['enforce', 'audit', 'warn'] as const;
const free: Standard = { level: 'privileged', version: 'latest' };
/** The policy of a namespace without labels. */
export const freePolicy: Policy = { enforce: free, audit: free, warn: free };

export const shown = ({ level, version }: Standard) => `${level}:${version}`;
const strictness = ({ level }: Standard) => levels.indexOf(level);

/** The minor version to evaluate; versions of the future count as the latest. */
export function minorOf({ version }: Standard, latest: number): number {
  return version === 'latest' ? latest : Math.min(Number(version.slice('v1.'.length)), latest);
}

/** The policy of a namespace by its labels. What cannot be understood is taken for the strictest. */
export function policyOf(labels: ReadonlyMap<string, string>, prefix: string): Policy {
  const level = (mode: string, otherwise: Level): Level => {
    const value = labels.get(prefix + mode);
    if (value === undefined) return otherwise;
    return isLevel(value) ? value : 'restricted';
  };
  const version = (mode: string, otherwise: string): string => {
    const value = labels.get(`${prefix}${mode}-version`);
    return value !== undefined && isVersion(value) ? value : otherwise;
  };
  const enforce = { level: level('enforce', free.level), version: version('enforce', free.version) };
  return {
    enforce,
    audit: { level: level('audit', free.level), version: version('audit', free.version) },
    // Warns about workload resources whose pods the enforce level would reject.
    warn: labels.has(`${prefix}warn`)
      ? { level: level('warn', free.level), version: version('warn', free.version) }
      : { level: enforce.level, version: version('warn', enforce.version) },
  };
}

/** Validates the labels of a namespace. */
export function labelErrors(labels: ReadonlyMap<string, string>, prefix: string): FieldError[] {
  const check = (name: string, isGood: (value: string) => boolean, why: string) => {
    const value = labels.get(prefix + name);
    if (value === undefined || isGood(value)) return [];
    return [invalid(`metadata.labels[${prefix}${name}]`, value, why)];
  };
  return modes.flatMap((mode) => [
    ...check(mode, isLevel, `must be one of ${levels.join(', ')}`),
    ...check(`${mode}-version`, isVersion, 'must be "latest" or "v1.x"'),
  ]);
}

const isLevel = (value: string): value is Level => (levels as readonly string[]).includes(value);
const isVersion = (value: string) => value === 'latest' || /^v1\.(0|[1-9][0-9]{0,8})$/.test(value);

/** Whether pods that met a standard before have nothing to fear from the new one. */
export const isNoStricter = (now: Standard, before: Standard) =>
  now.level === 'privileged' || (now.version === before.version && strictness(now) <= strictness(before));

export const isFreePolicy = ({ enforce, audit, warn }: Policy) =>
  [enforce, audit, warn].every(({ level }) => level === 'privileged');
