// RoleBinding and ClusterRoleBinding: printer columns of their Tables.

import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn, wide } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { RoleBinding } from './rolebinding.ts';

export const roleBindingTable: TableLayout<RoleBinding> = {
  columns: [
    nameColumn,
    column('Role', 'The granted role.'),
    ageColumn,
    wide('Users', 'The users that the role is granted to.'),
    wide('Groups', 'The groups that the role is granted to.'),
    wide('ServiceAccounts', 'The service accounts that the role is granted to.'),
  ],
  cells(binding, ages) {
    const { roleRef, subjects = [], metadata } = binding;
    const namesOfKind = (subjectKind: string) =>
      subjects
        .filter(({ kind }) => kind === subjectKind)
        .map(({ name }) => name)
        .join(', ');
    const accounts = subjects
      .filter(({ kind }) => kind === 'ServiceAccount')
      .map(({ namespace = '', name }) => `${namespace}/${name}`);
    return [
      metadata.name ?? '',
      `${roleRef.kind}/${roleRef.name}`,
      age(binding, ages),
      namesOfKind('User'),
      namesOfKind('Group'),
      accounts.join(', '),
    ];
  },
};
