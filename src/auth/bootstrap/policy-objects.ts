// RBAC bootstrap policy: the roles and bindings that every server creates.
import type { ReadonlyPolicyRule } from '../../apis/rbac/rule-evaluation.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { ObjectMetadata } from '../../kind/api-object.ts';
import type { KindContext } from '../../kind/context.ts';
import { authenticatedGroup, mastersGroup, unauthenticatedGroup } from '../../request/authenticator.ts';
import type { BindingSubject, RoleReference } from '../rbac/grant.ts';
import { clusterRoles } from './cluster-roles.ts';
import { controllerRoles } from './controller-roles.ts';
import { leaderLocking, publicRoles, systemRoles } from './namespace-roles.ts';
import { parseRule, type RoleTableContext, roleTableContext } from './rule-notation.ts';

export interface BootstrapRole {
  readonly kind: 'ClusterRole' | 'Role';
  readonly metadata: ObjectMetadata;
  /** Absent for an aggregated role. */
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

type Roles = Readonly<Record<string, readonly string[]>>;

export function bootstrapRoles(context: Pick<KindContext, 'dialect' | 'features'>): BootstrapRole[] {
  const { dialect } = context;
  const tables = roleTableContext(context);
  const make = (kind: BootstrapRole['kind'], roles: Roles, namespace = '') =>
    Object.entries(roles).map(([name, rules]) => ({
      kind,
      metadata: metadata(dialect, name, namespace),
      rules: rules.map((rule) => parseRule(rule, tables)),
    }));
  return [
    ...make('ClusterRole', clusterRoles(tables)).map((role) => withAggregationLabel(role, dialect)),
    ...['admin', 'edit', 'view'].map((name) => withAggregationLabel(aggregated(name, dialect), dialect)),
    ...make('ClusterRole', asControllerRoles(controllerRoles(tables))),
    ...make('Role', publicRoles(tables), dialect.publicNamespace),
    ...make('Role', systemRoles(tables), dialect.systemNamespace),
  ];
}

export function bootstrapBindings(context: Pick<KindContext, 'dialect' | 'features'>): BootstrapBinding[] {
  const { dialect } = context;
  const tables = roleTableContext(context);
  const apiGroup = dialect.groupName('rbac.authorization');
  const bind = (
    kind: BootstrapBinding['kind'],
    role: RoleReference,
    subjects: BindingSubject[],
    where = '',
    name = role.name,
  ) => ({
    kind,
    metadata: metadata(dialect, name, where),
    roleRef: { apiGroup, ...role },
    subjects: subjects.map((one) => (one.kind === 'ServiceAccount' ? one : { ...one, apiGroup })),
  });
  const clusterWide = Object.entries(clusterSubjects(tables, dialect)).map(([name, subjects]) =>
    bind('ClusterRoleBinding', { kind: 'ClusterRole', name }, subjects),
  );
  const controllers = Object.keys(controllerRoles(tables)).map((name) =>
    bind('ClusterRoleBinding', { kind: 'ClusterRole', name: controllerRoleName(name) }, [
      account(name, dialect),
    ]),
  );
  const inNamespace = (where: string, role: string, subjects: BindingSubject[], name?: string) =>
    bind('RoleBinding', { kind: 'Role', name: role }, subjects, where, name);
  const [manager, scheduler] = [tables.component('controller-manager'), tables.component('scheduler')];
  const { systemNamespace, publicNamespace } = dialect;
  return [
    ...clusterWide,
    ...controllers,
    inNamespace(publicNamespace, controllerRoleName('bootstrap-signer'), [
      account('bootstrap-signer', dialect),
    ]),
    inNamespace(
      systemNamespace,
      'extension-apiserver-authentication-reader',
      [user(manager), user(scheduler)],
      'system::extension-apiserver-authentication-reader',
    ),
    inNamespace(systemNamespace, leaderLocking(manager), [
      user(manager),
      account(manager, dialect),
      account('leader-election-controller', dialect),
    ]),
    inNamespace(systemNamespace, leaderLocking(scheduler), [user(scheduler), account(scheduler, dialect)]),
    ...['bootstrap-signer', 'cloud-provider', 'token-cleaner'].map((name) =>
      inNamespace(systemNamespace, controllerRoleName(name), [account(name, dialect)]),
    ),
  ];
}

/** The subjects of the ClusterRoles of users and cluster components. */
function clusterSubjects(
  { component, enabled }: RoleTableContext,
  dialect: Dialect,
): Record<string, BindingSubject[]> {
  const accounts = group('system:serviceaccounts');
  const authenticated = group(authenticatedGroup);
  return {
    'cluster-admin': [group(mastersGroup)],
    'system:basic-user': [authenticated],
    ...(enabled('ClusterTrustBundle') && {
      'system:cluster-trust-bundle-discovery': dialect.rules.trustBundlesArePublic
        ? [accounts, authenticated]
        : [accounts],
    }),
    'system:discovery': [authenticated],
    [`system:${component('controller-manager')}`]: [user(component('controller-manager'))],
    [`system:${component('dns')}`]: [account(component('dns'), dialect)],
    [`system:${component('scheduler')}`]: [user(component('scheduler'))],
    'system:monitoring': [group('system:monitoring')],
    'system:node': [],
    'system:node-proxier': [user(component('proxy'))],
    'system:public-info-viewer': [authenticated, group(unauthenticatedGroup)],
    'system:service-account-issuer-discovery': [accounts],
    'system:volume-scheduler': [user(component('scheduler'))],
  };
}

const controllerRoleName = (name: string) => `system:controller:${name}`;
const asControllerRoles = (roles: Roles): Roles =>
  Object.fromEntries(Object.entries(roles).map(([name, rules]) => [controllerRoleName(name), rules]));

const group = (name: string): BindingSubject => ({ kind: 'Group', name });
const user = (component: string): BindingSubject => ({ kind: 'User', name: `system:${component}` });
const account = (name: string, { systemNamespace }: Dialect): BindingSubject => ({
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
function aggregated(name: string, dialect: Dialect): BootstrapRole {
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
  const by = aggregatedInto[role.metadata.name ?? ''];
  if (by === undefined) return role;
  const labels = { ...role.metadata.labels, [aggregateToPrefix + by]: 'true' };
  return { ...role, metadata: { ...role.metadata, labels } };
}
