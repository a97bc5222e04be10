// RBAC bootstrap policy: the compact notation of policy rules in the role tables.
import type { ReadonlyPolicyRule } from '../../apis/rbac/rule-evaluation.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { KindContext } from '../../kind/context.ts';
import type { Features } from '../../kind/features/features.ts';
import type { GateName } from '../../kind/features/gate-table.ts';

/** The names and feature gates of the server that the role tables of this folder depend on. */
export interface RoleTableContext
  extends Pick<Dialect, 'component' | 'groupName' | 'signers' | 'legacyTokenTrackingName'> {
  enabled(feature: GateName): boolean;
  /** Returns the rules if the feature is enabled, else none. */
  when(feature: GateName, ...rules: string[]): string[];
  /** The rule that allows a component to record Events. */
  readonly writeEvents: string;
}

export function roleTableContext({
  dialect,
  features,
}: Pick<KindContext, 'dialect' | 'features'>): RoleTableContext {
  const { component, groupName, signers, legacyTokenTrackingName } = dialect;
  const enabled: Features['enabled'] = (feature) => features.enabled(feature);
  return {
    component,
    groupName,
    signers,
    legacyTokenTrackingName,
    enabled,
    when: (feature, ...rules) => (enabled(feature) ? rules : []),
    writeEvents: 'create patch update: events in core events',
  };
}

const verbAbbreviations: Readonly<Record<string, readonly string[]>> = {
  read: ['get', 'list', 'watch'],
  write: ['create', 'delete', 'deletecollection', 'patch', 'update'],
};

const notation =
  /^(?<verbs>[^:]+): (?:paths (?<paths>.+)|(?<resources>.+?)(?: in (?<groups>.+?))?(?: named (?<names>.+))?)$/;

/**
 * Parses `VERBS: RESOURCES [in GROUPS] [named NAMES]`, by default in the core group, or `VERBS: paths PATHS`. Each is a
 * list with spaces; `read` and `write` abbreviate verbs. Example: `read patch: deployments deployments/scale in apps`.
 */
export function parseRule(
  text: string,
  { groupName }: Pick<RoleTableContext, 'groupName'>,
): ReadonlyPolicyRule {
  const { verbs, paths, resources, groups = 'core', names } = notation.exec(text)!.groups!;
  const rule = {
    verbs: splitWords(verbs)
      .flatMap((verb) => verbAbbreviations[verb] ?? verb)
      .sort(),
  };
  if (paths !== undefined) return { ...rule, nonResourceURLs: splitWords(paths) };
  return {
    ...rule,
    apiGroups: splitWords(groups).map((group) => groupName(group === 'core' ? '' : group)),
    resources: splitWords(resources),
    ...(names !== undefined && { resourceNames: splitWords(names) }),
  };
}

const splitWords = (text = '') => text.split(' ');
