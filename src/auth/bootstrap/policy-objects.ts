// RBAC bootstrap policy: the roles and bindings that every server creates.
import type { ReadonlyPolicyRule } from '../../apis/rbac/rule-evaluation.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { ObjectMetadata } from '../../kind/api-object.ts';
import type { KindContext } from '../../kind/context.ts';
import { authenticatedGroup, mastersGroup, unauthenticatedGroup } from '../../request/authenticator.ts';
import type { BindingSubject, RoleReference } from '../rbac/grant.ts';
import { clusterRoles } from './cluster-roles.ts';
import { controllerRoles } from './controller-roles.ts';
import { leaderLockingRoleName, publicNamespaceRoles, systemNamespaceRoles } from './namespace-roles.ts';
import { parseRule, type RoleTableContext, roleTableContext } from './rule-notation.ts';

export interface BootstrapRole {
  readonly kind: 'ClusterRole' | 'Role';
  readonly metadata: ObjectMetadata;
  /** Absent for an aggregated role: the aggregation controller writes its rules. */
  readonly rules?: readonly ReadonlyPolicyRule[];
  readonly aggregationRule?: { readonly clusterRoleSelectors: readonly MatchLabelsSelector[] };
}

interface MatchLabelsSelector {
  readonly matchLabels: Readonly<Record<string, string>>;
}

export interface BootstrapBinding {
  readonly kind: 'ClusterRoleBinding' | 'RoleBinding';
  readonly metadata: ObjectMetadata;
  readonly roleRef: RoleReference & { readonly apiGroup: string };
  readonly subjects: readonly (BindingSubject & { readonly apiGroup?: string })[];
}

/** Rules in the notation of rule-notation.ts, by role name. */
type RoleTable = Readonly<Record<string, readonly string[]>>;

export function bootstrapRoles(context: Pick<KindContext, 'dialect' | 'features'>): BootstrapRole[] {
  const { dialect } = context;
  const tableContext = roleTableContext(context);
  const rolesFrom = (kind: BootstrapRole['kind'], table: RoleTable, namespace = '') =>
    Object.entries(table).map(([name, rules]) => ({
      kind,
      metadata: metadata(dialect, name, namespace),
      rules: rules.map((rule) => parseRule(rule, tableContext)),
    }));
  return [
    ...rolesFrom('ClusterRole', clusterRoles(tableContext)).map((role) =>
      withAggregationLabel(role, dialect),
    ),
    ...['admin', 'edit', 'view'].map((name) => withAggregationLabel(aggregatedRole(name, dialect), dialect)),
    ...rolesFrom('ClusterRole', withControllerRoleNames(controllerRoles(tableContext))),
    ...rolesFrom('Role', publicNamespaceRoles(tableContext), dialect.publicNamespace),
    ...rolesFrom('Role', systemNamespaceRoles(tableContext), dialect.systemNamespace),
  ];
}

export function bootstrapBindings(context: Pick<KindContext, 'dialect' | 'features'>): BootstrapBinding[] {
  const { dialect } = context;
  const tableContext = roleTableContext(context);
  const apiGroup = dialect.groupName('rbac.authorization');
  const bind = (
    kind: BootstrapBinding['kind'],
    role: RoleReference,
    subjects: BindingSubject[],
    namespace = '',
    name = role.name,
  ) => ({
    kind,
    metadata: metadata(dialect, name, namespace),
    roleRef: { apiGroup, ...role },
    subjects: subjects.map((subject) =>
      subject.kind === 'ServiceAccount' ? subject : { ...subject, apiGroup },
    ),
  });
  const clusterWide = Object.entries(clusterRoleSubjects(tableContext, dialect)).map(([name, subjects]) =>
    bind('ClusterRoleBinding', { kind: 'ClusterRole', name }, subjects),
  );
  const controllers = Object.keys(controllerRoles(tableContext)).map((name) =>
    bind('ClusterRoleBinding', { kind: 'ClusterRole', name: controllerRoleName(name) }, [
      accountSubject(name, dialect),
    ]),
  );
  const inNamespace = (namespace: string, role: string, subjects: BindingSubject[], name?: string) =>
    bind('RoleBinding', { kind: 'Role', name: role }, subjects, namespace, name);
  const manager = tableContext.component('controller-manager');
  const scheduler = tableContext.component('scheduler');
  const { systemNamespace, publicNamespace } = dialect;
  return [
    ...clusterWide,
    ...controllers,
    inNamespace(publicNamespace, controllerRoleName('bootstrap-signer'), [
      accountSubject('bootstrap-signer', dialect),
    ]),
    inNamespace(
      systemNamespace,
      'extension-apiserver-authentication-reader',
      [userSubject(manager), userSubject(scheduler)],
      'system::extension-apiserver-authentication-reader',
    ),
    inNamespace(systemNamespace, leaderLockingRoleName(manager), [
      userSubject(manager),
      accountSubject(manager, dialect),
      accountSubject('leader-election-controller', dialect),
    ]),
    inNamespace(systemNamespace, leaderLockingRoleName(scheduler), [
      userSubject(scheduler),
      accountSubject(scheduler, dialect),
    ]),
    ...['bootstrap-signer', 'cloud-provider', 'token-cleaner'].map((name) =>
      inNamespace(systemNamespace, controllerRoleName(name), [accountSubject(name, dialect)]),
    ),
  ];
}

/** The subjects of the ClusterRoles of users and cluster components, by role name. */
function clusterRoleSubjects(
  { component, enabled }: RoleTableContext,
  dialect: Dialect,
): Record<string, BindingSubject[]> {
  const allAccounts = groupSubject('system:serviceaccounts');
  const authenticated = groupSubject(authenticatedGroup);
  return {
    'cluster-admin': [groupSubject(mastersGroup)],
    'system:basic-user': [authenticated],
    ...(enabled('ClusterTrustBundle') && {
      'system:cluster-trust-bundle-discovery': dialect.rules.trustBundlesArePublic
        ? [allAccounts, authenticated]
        : [allAccounts],
    }),
    'system:discovery': [authenticated],
    [`system:${component('controller-manager')}`]: [userSubject(component('controller-manager'))],
    [`system:${component('dns')}`]: [accountSubject(component('dns'), dialect)],
    [`system:${component('scheduler')}`]: [userSubject(component('scheduler'))],
    'system:monitoring': [groupSubject('system:monitoring')],
    'system:node': [],
    'system:node-proxier': [userSubject(component('proxy'))],
    'system:public-info-viewer': [authenticated, groupSubject(unauthenticatedGroup)],
    'system:service-account-issuer-discovery': [allAccounts],
    'system:volume-scheduler': [userSubject(component('scheduler'))],
  };
}

const controllerRoleName = (name: string) => `system:controller:${name}`;
const withControllerRoleNames = (table: RoleTable): RoleTable =>
  Object.fromEntries(Object.entries(table).map(([name, rules]) => [controllerRoleName(name), rules]));

const groupSubject = (name: string): BindingSubject => ({ kind: 'Group', name });
const userSubject = (component: string): BindingSubject => ({ kind: 'User', name: `system:${component}` });
const accountSubject = (name: string, { systemNamespace }: Dialect): BindingSubject => ({
  kind: 'ServiceAccount',
  name,
  namespace: systemNamespace,
});

function metadata({ annotations, labels }: Dialect, name: string, namespace: string): ObjectMetadata {
  return {
    name,
    ...(namespace && { namespace }),
    labels: { [labels.bootstrapping]: 'rbac-defaults' },
    annotations: { [annotations.autoupdate]: 'true' },
  };
}

/** A user-facing role that aggregates the roles labelled for it. */
function aggregatedRole(name: string, dialect: Dialect): BootstrapRole {
  const matchLabels = { [dialect.labels.aggregateToPrefix + name]: 'true' };
  return {
    kind: 'ClusterRole',
    metadata: metadata(dialect, name, ''),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels }] },
  };
}

/** The role that aggregates each of these roles. */
const aggregatedInto: Readonly<Record<string, string>> = {
  edit: 'admin',
  view: 'edit',
  'system:aggregate-to-admin': 'admin',
  'system:aggregate-to-edit': 'edit',
  'system:aggregate-to-view': 'view',
};

function withAggregationLabel(
  role: BootstrapRole,
  { labels: { aggregateToPrefix } }: Dialect,
): BootstrapRole {
  const aggregatingRole = aggregatedInto[role.metadata.name ?? ''];
  if (aggregatingRole === undefined) return role;
  const labels = { ...role.metadata.labels, [aggregateToPrefix + aggregatingRole]: 'true' };
  return { ...role, metadata: { ...role.metadata, labels } };
}
