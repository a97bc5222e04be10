// Deployment: printer columns (upstream: printers/internalversion).

import { age, containerCells } from '../../kind/table/cells.ts';
import { ageColumn, column, containerColumns, nameColumn, selectorColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { Deployment } from './deployment.ts';
import { selectorCell } from './table-cells.ts';

export const deploymentTable: TableLayout<Deployment> = {
  columns: [
    nameColumn,
    column('Ready', 'The number of ready pods of the desired number.'),
    column('Up-to-date', 'The number of pods of the current template.'),
    column('Available', 'The number of available pods.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(deployment, ages) {
    const { spec, status, metadata } = deployment;
    return [
      metadata.name ?? '',
      `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
      status.updatedReplicas ?? 0,
      status.availableReplicas ?? 0,
      age(deployment, ages),
      ...containerCells(spec.template.spec),
      selectorCell(spec.selector),
    ];
  },
};
