// RoleBinding: schema.

import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { field, type Infer } from '../../schema/struct.ts';
import { RoleRef, Subject } from './role-binding-parts.ts';

export const RoleBinding = kind(
  'rbac/v1.RoleBinding',
  {
    subjects: field(2, list(Subject, { type: 'atomic' }), {
      doc: 'The subjects that the role is granted to.',
    }),
    roleRef: field(3, RoleRef, { required: true, doc: 'The Role or ClusterRole to grant.' }),
  },
  { doc: 'Grants a Role or ClusterRole to subjects in one namespace.' },
);
export type RoleBinding = Infer<typeof RoleBinding>;
