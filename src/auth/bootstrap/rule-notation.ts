// RBAC bootstrap policy: the compact notation of policy rules in the role tables.
import type { ReadonlyPolicyRule } from '../../apis/rbac/rule-evaluation.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { KindContext } from '../../kind/context.ts';
import type { Features } from '../../kind/features/features.ts';
import type { GateName } from '../../kind/features/gate-table.ts';

export interface RoleTableContext
  extends Pick<Dialect, 'component' | 'groupName' | 'signers' | 'legacyTokenTrackingName'> {
  enabled(feature: GateName): boolean;
  /** Rules that exist only with a feature enabled. */
  when(feature: GateName, ...rules: string[]): string[];
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

/** Abbreviations of several verbs. */
const verbGroups: Readonly<Record<string, readonly string[]>> = {
  read: ['get', 'list', 'watch'],
  write: ['create', 'delete', 'deletecollection', 'patch', 'update'],
};

const notation =
  /^(?<verbs>[^:]+): (?:paths (?<paths>.+)|(?<resources>.+?)(?: in (?<groups>.+?))?(?: named (?<names>.+))?)$/;

/** Parses `VERBS: RESOURCES [in GROUPS] [named NAMES]`, by default in the core group, or `VERBS: paths PATHS`. */
export function parseRule(
  text: string,
  { groupName }: Pick<RoleTableContext, 'groupName'>,
): ReadonlyPolicyRule {
  const { verbs, paths, resources, groups = 'core', names } = notation.exec(text)!.groups!;
  const rule = {
    verbs: words(verbs)
      .flatMap((verb) => verbGroups[verb] ?? verb)
      .sort(),
  };
  if (paths !== undefined) return { ...rule, nonResourceURLs: words(paths) };
  return {
    ...rule,
    apiGroups: words(groups).map((id) => groupName(id === 'core' ? '' : id)),
    resources: words(resources),
    ...(names !== undefined && { resourceNames: words(names) }),
  };
}

const words = (text = '') => text.split(' ');
