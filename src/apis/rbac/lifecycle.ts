// Lifecycles of the versions of the API group rbac.authorization.

import { removedKinds, replacedByV1, type VersionLifecycle } from '../../kind/lifecycle.ts';

export const rbacLifecycles: readonly VersionLifecycle[] = [
  { group: 'rbac.authorization', version: 'v1', introduced: '1.8' },
  {
    group: 'rbac.authorization',
    version: 'v1alpha1',
    introduced: '1.5',
    deprecated: '1.17',
    removed: '1.22',
    ...replacedByV1('rbac.authorization'),
    kinds: removedKinds('ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'),
  },
  {
    group: 'rbac.authorization',
    version: 'v1beta1',
    introduced: '1.6',
    deprecated: '1.17',
    removed: '1.22',
    ...replacedByV1('rbac.authorization'),
    kinds: removedKinds('ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'),
  },
];
