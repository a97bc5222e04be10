// StatefulSet: printer columns (upstream: printers/internalversion).

import { age, containerCells } from '../../kind/table/cells.ts';
import { ageColumn, column, containerColumns, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { StatefulSet } from './statefulset.ts';

export const statefulSetTable: TableLayout<StatefulSet> = {
  columns: [
    nameColumn,
    column('Ready', 'The number of ready pods of the desired number.'),
    ageColumn,
    ...containerColumns,
  ],
  cells(set, ages) {
    const { spec, status, metadata } = set;
    return [
      metadata.name ?? '',
      `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
      age(set, ages),
      ...containerCells(spec.template.spec),
    ];
  },
};
