import type { ReadonlyPolicyRule } from '../../apis/rbac/rule-evaluation.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { ObjectMeta } from '../../kind/api-object.ts';
import type { KindContext } from '../../kind/context.ts';
import { authenticatedGroup, mastersGroup, unauthenticatedGroup } from '../../request/authenticator.ts';
import type { BindingSubject, RoleReference } from '../rbac/grant.ts';
import { clusterRoles } from './cluster-roles.ts';
import { controllerRoles } from './controller-roles.ts';
import { leaderLocking, publicRoles, systemRoles } from './namespace-roles.ts';
import { parseRule, type RoleTableContext, roleTableContext } from './rule-notation.ts';

export interface BootstrapRole {
  readonly kind: 'ClusterRole' | 'Role';
  readonly metadata: ObjectMeta;
  /** Absent where they are gathered. */
  readonly rules?: readonly ReadonlyPolicyRule[];
  readonly aggregationRule?: { readonly clusterRoleSelectors: readonly LabelSelector[] };
}

interface LabelSelector {
  readonly matchLabels: Readonly<Record<string, string>>;
}

export interface BootstrapBinding {
  readonly kind: 'ClusterRoleBinding' | 'RoleBinding';
  readonly metadata: ObjectMeta;
  readonly roleRef: RoleReference & { readonly apiGroup: string };
  readonly subjects: readonly (BindingSubject & { readonly apiGroup?: string })[];
}

type Roles = Readonly<Record<string, readonly string[]>>;

/** All roles that a server has from the start. */
export function bootstrapRoles(context: Pick<KindContext, 'dialect' | 'features'>): BootstrapRole[] {
  const { dialect } = context;
  const book = roleTableContext(context);
  const make = (kind: BootstrapRole['kind'], roles: Roles, namespace = '') =>
    Object.entries(roles).map(([name, rules]) => ({
      kind,
      metadata: metadata(dialect, name, namespace),
      rules: rules.map((rule) => parseRule(rule, book)),
    }));
  return [
    ...make('ClusterRole', clusterRoles(book)).map((role) => labelled(role, dialect)),
    ...['admin', 'edit', 'view'].map((name) => labelled(gathering(name, dialect), dialect)),
    ...make('ClusterRole', ofControllers(controllerRoles(book))),
    ...make('Role', publicRoles(book), dialect.publicNamespace),
    ...make('Role', systemRoles(book), dialect.systemNamespace),
  ];
}

/** All bindings that a server has from the start. */
export function bootstrapBindings(context: Pick<KindContext, 'dialect' | 'features'>): BootstrapBinding[] {
  const { dialect } = context;
  const book = roleTableContext(context);
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
  const everywhere = Object.entries(clusterSubjects(book, dialect)).map(([name, subjects]) =>
    bind('ClusterRoleBinding', { kind: 'ClusterRole', name }, subjects),
  );
  const controllers = Object.keys(controllerRoles(book)).map((name) =>
    bind('ClusterRoleBinding', { kind: 'ClusterRole', name: ofController(name) }, [account(name, dialect)]),
  );
  const inNamespace = (where: string, role: string, subjects: BindingSubject[], name?: string) =>
    bind('RoleBinding', { kind: 'Role', name: role }, subjects, where, name);
  const [manager, scheduler] = [book.component('controller-manager'), book.component('scheduler')];
  const { systemNamespace, publicNamespace } = dialect;
  return [
    ...everywhere,
    ...controllers,
    inNamespace(publicNamespace, ofController('bootstrap-signer'), [account('bootstrap-signer', dialect)]),
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
      inNamespace(systemNamespace, ofController(name), [account(name, dialect)]),
    ),
  ];
}

/** To whom the roles for users and for the parts of a cluster are given. */
function clusterSubjects(
  { component, enabled }: RoleTableContext,
  dialect: Dialect,
): Record<string, BindingSubject[]> {
  const accounts = group('system:serviceaccounts');
  const known = group(authenticatedGroup);
  return {
    'cluster-admin': [group(mastersGroup)],
    'system:basic-user': [known],
    ...(enabled('ClusterTrustBundle') && {
      'system:cluster-trust-bundle-discovery': dialect.rules.trustBundlesArePublic
        ? [accounts, known]
        : [accounts],
    }),
    'system:discovery': [known],
    [`system:${component('controller-manager')}`]: [user(component('controller-manager'))],
    [`system:${component('dns')}`]: [account(component('dns'), dialect)],
    [`system:${component('scheduler')}`]: [user(component('scheduler'))],
    'system:monitoring': [group('system:monitoring')],
    'system:node': [],
    'system:node-proxier': [user(component('proxy'))],
    'system:public-info-viewer': [known, group(unauthenticatedGroup)],
    'system:service-account-issuer-discovery': [accounts],
    'system:volume-scheduler': [user(component('scheduler'))],
  };
}

const ofController = (name: string) => `system:controller:${name}`;
const ofControllers = (roles: Roles): Roles =>
  Object.fromEntries(Object.entries(roles).map(([name, rules]) => [ofController(name), rules]));

const group = (name: string): BindingSubject => ({ kind: 'Group', name });
const user = (component: string): BindingSubject => ({ kind: 'User', name: `system:${component}` });
const account = (name: string, { systemNamespace }: Dialect): BindingSubject => ({
  kind: 'ServiceAccount',
  name,
  namespace: systemNamespace,
});

function metadata({ annotations, labels }: Dialect, name: string, namespace: string): ObjectMeta {
  return {
    name,
    ...(namespace && { namespace }),
    labels: { [labels.bootstrapping]: 'rbac-defaults' },
    annotations: { [annotations.autoupdate]: 'true' },
  };
}

/** A role for users that consists of others: of all that are labelled for it. */
function gathering(name: string, dialect: Dialect): BootstrapRole {
  const matchLabels = { [dialect.labels.aggregateToPrefix + name]: 'true' };
  return {
    kind: 'ClusterRole',
    metadata: metadata(dialect, name, ''),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels }] },
  };
}

/** Which role takes up the rules of which. */
const gatheredBy: Readonly<Record<string, string>> = {
  edit: 'admin',
  view: 'edit',
  'system:aggregate-to-admin': 'admin',
  'system:aggregate-to-edit': 'edit',
  'system:aggregate-to-view': 'view',
};

function labelled(role: BootstrapRole, { labels: { aggregateToPrefix } }: Dialect): BootstrapRole {
  const by = gatheredBy[role.metadata.name ?? ''];
  if (by === undefined) return role;
  const labels = { ...role.metadata.labels, [aggregateToPrefix + by]: 'true' };
  return { ...role, metadata: { ...role.metadata, labels } };
}
