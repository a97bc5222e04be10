/** SPEC's deprecation rules as functions over plain data. Each returns the violations. */

export type Level = 'alpha' | 'beta' | 'stable';

const ranks: readonly Level[] = ['alpha', 'beta', 'stable'];

export function levelOf(version: string): Level {
  return version.includes('alpha') ? 'alpha' : version.includes('beta') ? 'beta' : 'stable';
}

export const isLessStable = (one: Level, other: Level) => ranks.indexOf(one) < ranks.indexOf(other);

/** Releases are increasing numbers. */
export interface Lifecycle {
  readonly introduced: number;
  readonly deprecated?: number | undefined;
  readonly removed?: number | undefined;
}

export interface VersionLifecycle extends Lifecycle {
  readonly version: string;
  /** The replacement. */
  readonly replacement?: { readonly version: string; readonly introduced: number } | undefined;
}

/** After how many releases a beta version is deprecated, and how many it is served after that. */
const betaReleases = 3;

/** Rules 3 and 4a, for one version of a kind. Betas from `boundedFrom` on are deprecated and removed in time. */
export function versionViolations(life: VersionLifecycle, boundedFrom = 0): string[] {
  const { version, introduced, deprecated, removed, replacement } = life;
  const level = levelOf(version);
  const broken: string[] = [];
  const check = (rule: string, holds: boolean) => {
    if (!holds) broken.push(`${rule}: ${version}`);
  };
  if (replacement) {
    check('rule 3', !isLessStable(levelOf(replacement.version), level));
    check('rule 4b', removed === undefined || replacement.introduced < removed);
  }
  if (deprecated !== undefined) check('order', introduced <= deprecated);
  if (level === 'stable') check('rule 4a', removed === undefined);
  if (level !== 'beta') return broken;
  check(
    'rule 4a',
    removed === undefined || (deprecated !== undefined && removed - deprecated >= betaReleases),
  );
  if (introduced >= boundedFrom) {
    check('rule 4a', deprecated === undefined || deprecated - introduced <= betaReleases);
    check('rule 4a', removed === undefined || removed - introduced <= 2 * betaReleases);
  }
  return broken;
}

/** The versions of a group that one release served. */
export interface ReleaseState {
  readonly served: readonly { readonly version: string; readonly deprecated?: boolean }[];
  /** The preferred and stored version; undefined if unknown. */
  readonly preferred: string | undefined;
}

/** Rule 4b: the preferred version changes only to one that the previous release had, unless that had only alphas. */
export function preferredVersionViolations(history: readonly ReleaseState[]): string[] {
  return history.flatMap(({ served, preferred }, at) => {
    if (preferred === undefined) return [];
    const broken = served.some(({ version }) => version === preferred)
      ? []
      : [`preferred but not served: ${preferred}`];
    const before = history[at - 1];
    if (before === undefined || before.preferred === preferred) return broken;
    const promised = before.served.some(({ version }) => levelOf(version) !== 'alpha');
    const wasThere = before.served.some(({ version }) => version === preferred);
    return promised && !wasThere ? [...broken, `rule 4b: ${preferred}`] : broken;
  });
}

/** Rule 3 for a sequence: a deprecated version has one beside it that is at least as stable and not deprecated. */
function brokenByDeprecations(history: readonly ReleaseState[]): string[] {
  return history.flatMap(({ served }) =>
    served
      .filter(({ version, deprecated }) => deprecated && !served.some((other) => isSuccessor(other, version)))
      .map(({ version }) => `rule 3: ${version}`),
  );
}

function isSuccessor(other: ReleaseState['served'][number], version: string): boolean {
  return (
    !other.deprecated && other.version !== version && !isLessStable(levelOf(other.version), levelOf(version))
  );
}

/** When each version of a sequence was introduced, deprecated and removed. */
function livesOf(history: readonly ReleaseState[]): VersionLifecycle[] {
  const versions = new Set(history.flatMap(({ served }) => served.map(({ version }) => version)));
  return [...versions].map((version) => {
    const states = history.map(({ served }) => served.find((each) => each.version === version));
    const introduced = states.findIndex((state) => state !== undefined);
    const deprecated = states.findIndex((state) => state?.deprecated === true);
    const gone = states.findIndex((state, at) => at > introduced && state === undefined);
    return {
      version,
      introduced,
      deprecated: deprecated < 0 ? undefined : deprecated,
      removed: gone < 0 ? undefined : gone,
    };
  });
}

/** All violations of a sequence of releases. */
export function sequenceViolations(history: readonly ReleaseState[]): string[] {
  return [
    ...preferredVersionViolations(history),
    ...brokenByDeprecations(history),
    ...livesOf(history).flatMap((life) => versionViolations(life)),
  ];
}

const metricLifetimes = {
  STABLE: [4, 3],
  BETA: [2, 1],
  ALPHA: [0, 0],
  INTERNAL: [0, 0],
  NONE: [0, 0],
} as const;

/** Rules 11a and 11b, for one metric. */
export function metricViolations(level: keyof typeof metricLifetimes, life: Lifecycle): string[] {
  const { introduced, deprecated, removed } = life;
  if (removed === undefined) return [];
  const [whole, afterwards] = metricLifetimes[level];
  const broken: string[] = [];
  if (removed - introduced < whole) broken.push('rule 11a');
  if (whole > 0 && deprecated === undefined) broken.push('rule 11b');
  if (deprecated !== undefined && removed - deprecated < afterwards) broken.push('rule 11b');
  return broken;
}

export interface GateHistory {
  readonly stage: Level | 'deprecated';
  readonly default: boolean;
  readonly locked: boolean;
  readonly since: number;
}

const stages: readonly GateHistory['stage'][] = [...ranks, 'deprecated'];
/** How long a gate stays after its feature is GA, or was deprecated as beta. */
const gateReleases = { stable: 2, beta: 1, alpha: 0, deprecated: 0 } as const;

/** Rule 9, for the history of one gate. */
export function gateViolations(history: readonly GateHistory[], removed?: number): string[] {
  const broken: string[] = [];
  for (const [at, { stage, default: on, locked, since }] of history.entries()) {
    const before = history[at - 1];
    if (before && since <= before.since) broken.push('order of releases');
    if (before && stages.indexOf(stage) < stages.indexOf(before.stage)) broken.push('order of stages');
    if (stage === 'alpha' && on) broken.push('an alpha feature that is on');
    if (locked && (stage === 'alpha' || stage === 'beta'))
      broken.push('rule 9: locked while it is being tried');
  }
  const last = history.at(-1);
  if (last && removed !== undefined && removed - last.since < gateReleases[last.stage]) broken.push('rule 9');
  return broken;
}

/** Rule 5b: for how many releases a deprecated flag of the server keeps working. */
const flagReleases = { stable: 1, beta: 1, alpha: 0 } as const;

export function flagViolations(level: Level, { deprecated, removed }: Lifecycle): string[] {
  if (removed === undefined) return [];
  if (flagReleases[level] === 0) return [];
  return deprecated !== undefined && removed - deprecated >= flagReleases[level] ? [] : ['rule 5b'];
}
