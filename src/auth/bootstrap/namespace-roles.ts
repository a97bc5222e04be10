// RBAC bootstrap policy: Roles in the public and the system namespace.
// A rule is `VERBS: RESOURCES [in GROUPS] [named NAMES]`, by default in the core group, or `VERBS: paths PATHS`.
// The verbs `read` (get, list, watch) and `write` (create, delete, deletecollection, patch, update) are abbreviations.
// parseRule in rule-notation.ts parses it.
import type { RoleTableContext } from './rule-notation.ts';

export const publicNamespaceRoles = ({ writeEvents }: RoleTableContext) => ({
  'system:controller:bootstrap-signer': [
    'read: configmaps',
    'update: configmaps named cluster-info',
    writeEvents,
  ],
});

export const systemNamespaceRoles = ({ component, writeEvents }: RoleTableContext) => ({
  'extension-apiserver-authentication-reader': ['read: configmaps named extension-apiserver-authentication'],
  [leaderLockingRoleName(component('controller-manager'))]: leaderLockingRules(
    component('controller-manager'),
  ),
  [leaderLockingRoleName(component('scheduler'))]: leaderLockingRules(component('scheduler')),
  'system:controller:bootstrap-signer': ['read: secrets'],
  'system:controller:cloud-provider': ['create get list watch: configmaps'],
  'system:controller:token-cleaner': ['delete get list watch: secrets', writeEvents],
});

export const leaderLockingRoleName = (component: string) => `system::leader-locking-${component}`;

const leaderLockingRules = (component: string) => [
  'watch: configmaps',
  `get update: configmaps named ${component}`,
  'create get list update watch: leases in coordination',
  'create get list update watch: leasecandidates in coordination',
];
