import { list } from '../../schema/collections.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

export const PolicyRule = struct('rbac/v1.PolicyRule', {
  verbs: field(1, list(string, { type: 'atomic' }), { required: true }),
  apiGroups: field(2, list(string, { type: 'atomic' })),
  resources: field(3, list(string, { type: 'atomic' })),
  resourceNames: field(4, list(string, { type: 'atomic' })),
  nonResourceURLs: field(5, list(string, { type: 'atomic' })),
});
export type PolicyRule = Infer<typeof PolicyRule>;

export const Role = kind(
  'rbac/v1.Role',
  {
    rules: field(2, list(PolicyRule, { type: 'atomic' }), { alwaysWritten: true }),
  },
  { doc: '' },
);
export type Role = Infer<typeof Role>;

export const roles = (context: KindContext) =>
  resource<Role>({
    group: 'rbac.authorization',
    version: 'v1',
    kind: 'Role',
    plural: 'roles',
    schema: Role,
    strategy: plainStrategy(context, Role),
  });
