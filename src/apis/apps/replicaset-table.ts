// ReplicaSet: printer columns (upstream: printers/internalversion).

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
    column('Desired', 'The desired number of pods.', integer),
    column('Current', 'The current number of pods.', integer),
    column('Ready', 'The number of ready pods.', integer),
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
