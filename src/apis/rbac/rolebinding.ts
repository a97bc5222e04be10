// Schema of RoleBinding.

import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { field, type Infer } from '../../schema/struct.ts';
import { RoleRef, Subject } from './role-binding-parts.ts';

export const RoleBinding = kind(
  'rbac/v1.RoleBinding',
  {
    subjects: field(2, list(Subject, { type: 'atomic' }), { doc: 'Who is given the role.' }),
    roleRef: field(3, RoleRef, { required: true, doc: 'The role they are given.' }),
  },
  { doc: 'Gives a role to somebody, within its namespace.' },
);
export type RoleBinding = Infer<typeof RoleBinding>;
