// ReplicaSet: printer columns.

import { age, containerCells } from '../../kind/table/cells.ts';
import {
  ageColumn,
  column,
  containerColumns,
  integer,
  nameColumn,
  selectorColumn,
} from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { ReplicaSet } from './replicaset.ts';
import { selectorCell } from './table-cells.ts';

export const replicaSetTable: TableLayout<ReplicaSet> = {
  columns: [
    nameColumn,
    column('Desired', 'How many pods there should be.', integer),
    column('Current', 'How many there are.', integer),
    column('Ready', 'How many are ready.', integer),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(set, ages) {
    const { spec, status, metadata } = set;
    return [
      metadata.name ?? '',
      spec.replicas ?? 0,
      status.replicas ?? 0,
      status.readyReplicas ?? 0,
      age(set, ages),
      ...containerCells(spec.template.spec),
      selectorCell(spec.selector),
    ];
  },
};
