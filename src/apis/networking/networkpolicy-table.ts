// NetworkPolicy: printer columns of its Table.

import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { selectorCell } from '../apps/table-cells.ts';
import type { NetworkPolicy } from './networkpolicy.ts';

export const networkPolicyTable: TableLayout<NetworkPolicy> = {
  columns: [nameColumn, column('Pod-Selector', 'The label selector of the pods.'), ageColumn],
  cells: (policy, ages) => [
    policy.metadata.name ?? '',
    selectorCell(policy.spec.podSelector),
    age(policy, ages),
  ],
};
