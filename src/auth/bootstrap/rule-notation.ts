import type { ReadonlyPolicyRule } from '../../apis/rbac/rule-evaluation.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { KindContext } from '../../kind/context.ts';
import type { Features } from '../../kind/features/features.ts';
import type { GateName } from '../../kind/features/gate-table.ts';

/** What the tables of roles are written with. */
export interface RoleTableContext
  extends Pick<Dialect, 'component' | 'groupName' | 'signers' | 'legacyTokenTrackingName'> {
  enabled(feature: GateName): boolean;
  /** Rules that are there only with a feature. */
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

/** Verbs that go together. */
const families: Readonly<Record<string, readonly string[]>> = {
  read: ['get', 'list', 'watch'],
  write: ['create', 'delete', 'deletecollection', 'patch', 'update'],
};

const form =
  /^(?<verbs>[^:]+): (?:paths (?<paths>.+)|(?<resources>.+?)(?: in (?<groups>.+?))?(?: named (?<names>.+))?)$/;

/**
 * Reads `VERBS: RESOURCES`, and behind that `in GROUPS`, unless they are of the core group, and `named NAMES`; or
 * `VERBS: paths PATHS`.
 */
export function parseRule(
  text: string,
  { groupName }: Pick<RoleTableContext, 'groupName'>,
): ReadonlyPolicyRule {
  const { verbs, paths, resources, groups = 'core', names } = form.exec(text)!.groups!;
  const said = {
    verbs: words(verbs)
      .flatMap((verb) => families[verb] ?? verb)
      .sort(),
  };
  if (paths !== undefined) return { ...said, nonResourceURLs: words(paths) };
  return {
    ...said,
    apiGroups: words(groups).map((id) => groupName(id === 'core' ? '' : id)),
    resources: words(resources),
    ...(names !== undefined && { resourceNames: words(names) }),
  };
}

const words = (text = '') => text.split(' ');
