import type { RoleTableContext } from './rule-notation.ts';

/** The roles in the namespace that everybody may read. */
export const publicRoles = ({ writeEvents }: RoleTableContext) => ({
  'system:controller:bootstrap-signer': [
    'read: configmaps',
    'update: configmaps named cluster-info',
    writeEvents,
  ],
});

/** The roles in the namespace of the system. */
export const systemRoles = ({ component, writeEvents }: RoleTableContext) => ({
  'extension-apiserver-authentication-reader': ['read: configmaps named extension-apiserver-authentication'],
  [leaderLocking(component('controller-manager'))]: leads(component('controller-manager')),
  [leaderLocking(component('scheduler'))]: leads(component('scheduler')),
  'system:controller:bootstrap-signer': ['read: secrets'],
  'system:controller:cloud-provider': ['create get list watch: configmaps'],
  'system:controller:token-cleaner': ['delete get list watch: secrets', writeEvents],
});

export const leaderLocking = (component: string) => `system::leader-locking-${component}`;

const leads = (component: string) => [
  'watch: configmaps',
  `get update: configmaps named ${component}`,
  'create get list update watch: leases in coordination',
  'create get list update watch: leasecandidates in coordination',
];
