import { list } from '../../schema/collections.ts';
import { field, type Infer } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { RoleRef, Subject } from './role-binding-parts.ts';

export const ClusterRoleBinding = kind(
  'rbac/v1.ClusterRoleBinding',
  {
    subjects: field(2, list(Subject, { type: 'atomic' })),
    roleRef: field(3, RoleRef, { required: true }),
  },
  { doc: '' },
);
export type ClusterRoleBinding = Infer<typeof ClusterRoleBinding>;

export const clusterrolebindings = (context: KindContext) =>
  resource<ClusterRoleBinding>({
    group: 'rbac.authorization',
    version: 'v1',
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    namespaced: false,
    schema: ClusterRoleBinding,
    strategy: plainStrategy(context, ClusterRoleBinding),
  });
