import { list } from '../../schema/collections.ts';
import { field, type Infer } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { RoleRef, Subject } from './role-binding-parts.ts';

export const RoleBinding = kind(
  'rbac/v1.RoleBinding',
  {
    subjects: field(2, list(Subject, { type: 'atomic' })),
    roleRef: field(3, RoleRef, { required: true }),
  },
  { doc: '' },
);
export type RoleBinding = Infer<typeof RoleBinding>;

export const rolebindings = (context: KindContext) =>
  resource<RoleBinding>({
    group: 'rbac.authorization',
    version: 'v1',
    kind: 'RoleBinding',
    plural: 'rolebindings',
    schema: RoleBinding,
    strategy: plainStrategy(context, RoleBinding),
  });
