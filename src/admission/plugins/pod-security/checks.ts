// Pod Security Standards: the list of checks by level and version.
import * as host from './host-checks.ts';
import { type Circumstances, isOnWindows, type PodParts } from './pod-parts.ts';
import * as privilege from './privilege-checks.ts';
import * as profile from './profile-checks.ts';
import type { Violation } from './wording.ts';

/** One check of the Pod Security Standards. */
interface Check {
  readonly level: 'baseline' | 'restricted';
  /** The minor releases that have it, from the first on and before the last. */
  readonly since?: number;
  readonly before?: number;
  /** The check of the baseline that it takes the place of where both would be made. */
  readonly replaces?: Find;
  /** Since this minor version the check exempts Windows pods. */
  readonly notOnWindowsSince?: number;
  readonly find: Find;
}

type Find = (pod: PodParts, minor: number, circumstances: Circumstances) => Violation | undefined;

const baseline = (find: Find, terms: Pick<Check, 'since' | 'before'> = {}): Check => ({
  level: 'baseline',
  find,
  ...terms,
});
const restricted = (find: Find, terms: Omit<Check, 'level' | 'find'> = {}): Check => ({
  level: 'restricted',
  find,
  ...terms,
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

/** The checks of a level in a release. */
function checksFor(level: Check['level'], minor: number): readonly Check[] {
  const made = checks.filter(
    (check) =>
      (level === 'restricted' || check.level === 'baseline') &&
      minor >= (check.since ?? 0) &&
      minor < (check.before ?? Number.POSITIVE_INFINITY),
  );
  const replaced = new Set(made.map(({ replaces }) => replaces));
  return made.filter(({ find }) => !replaced.has(find));
}

/** How a pod violates a level as a release has it. */
export function violations(
  pod: PodParts,
  level: 'privileged' | Check['level'],
  minor: number,
  circumstances: Circumstances,
): Violation[] {
  if (level === 'privileged') return [];
  return checksFor(level, minor).flatMap(({ find, notOnWindowsSince }) => {
    if (notOnWindowsSince !== undefined && minor >= notOnWindowsSince && isOnWindows(pod)) return [];
    return find(pod, minor, circumstances) ?? [];
  });
}
