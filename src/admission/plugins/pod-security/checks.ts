// Pod Security Standards: the list of checks, and which of them apply to a level and version.
import * as host from './host-checks.ts';
import { type CheckContext, isOnWindows, type PodParts } from './pod-parts.ts';
import * as privilege from './privilege-checks.ts';
import * as profile from './profile-checks.ts';
import type { Violation } from './wording.ts';

/** A check of the Pod Security Standards, with the level and versions that it belongs to. */
interface Check {
  readonly level: 'baseline' | 'restricted';
  /** The minor versions of the standards with this check: from `since` up to, but not including, `before`. */
  readonly since?: number;
  readonly before?: number;
  /** The baseline check that this restricted check overrides (upstream: OverrideCheckIDs). */
  readonly replaces?: CheckFunction;
  /** Since this minor version the check exempts Windows pods. */
  readonly notOnWindowsSince?: number;
  readonly check: CheckFunction;
}

/** Returns the violation of a pod; undefined if it passes. `minor`: the version 1.<minor> of the standards. */
type CheckFunction = (pod: PodParts, minor: number, context: CheckContext) => Violation | undefined;

const baseline = (check: CheckFunction, options: Pick<Check, 'since' | 'before'> = {}): Check => ({
  level: 'baseline',
  check,
  ...options,
});
const restricted = (check: CheckFunction, options: Omit<Check, 'level' | 'check'> = {}): Check => ({
  level: 'restricted',
  check,
  ...options,
});

/** In the order in which violations are reported. */
const checks: readonly Check[] = [
  baseline(profile.appArmor),
  baseline(privilege.baselineCapabilities),
  baseline(host.hostNamespaces),
  baseline(host.hostPathVolumes),
  baseline(host.hostPorts),
  baseline(privilege.privileged),
  baseline(privilege.procMount),
  baseline(profile.seLinux),
  baseline(profile.seccompAnnotations, { before: 19 }),
  baseline(profile.baselineSeccomp, { since: 19 }),
  baseline(host.sysctls),
  baseline(host.windowsHostProcess),
  restricted(privilege.allowPrivilegeEscalation, { since: 8, notOnWindowsSince: 25 }),
  restricted(privilege.restrictedCapabilities, {
    since: 22,
    replaces: privilege.baselineCapabilities,
    notOnWindowsSince: 25,
  }),
  restricted(host.restrictedVolumes, { replaces: host.hostPathVolumes }),
  restricted(privilege.runAsNonRoot),
  restricted(privilege.runAsUser, { since: 23 }),
  restricted(profile.restrictedSeccomp, {
    since: 19,
    replaces: profile.baselineSeccomp,
    notOnWindowsSince: 25,
  }),
];

/**
 * The checks of a level in a minor version; the restricted level includes the baseline checks that it does not
 * override.
 */
function checksFor(level: Check['level'], minor: number): readonly Check[] {
  const applicable = checks.filter(
    (check) =>
      (level === 'restricted' || check.level === 'baseline') &&
      minor >= (check.since ?? 0) &&
      minor < (check.before ?? Number.POSITIVE_INFINITY),
  );
  const overridden = new Set(applicable.map(({ replaces }) => replaces));
  return applicable.filter(({ check }) => !overridden.has(check));
}

/** Evaluates a pod against a level of the standards in a minor version. */
export function findViolations(
  pod: PodParts,
  level: 'privileged' | Check['level'],
  minor: number,
  context: CheckContext,
): Violation[] {
  if (level === 'privileged') return [];
  return checksFor(level, minor).flatMap(({ check, notOnWindowsSince }) => {
    if (notOnWindowsSince !== undefined && minor >= notOnWindowsSince && isOnWindows(pod)) return [];
    return check(pod, minor, context) ?? [];
  });
}
