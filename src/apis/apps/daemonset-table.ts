// DaemonSet: printer columns (upstream: printers/internalversion).

import { age, containerCells, labelText } from '../../kind/table/cells.ts';
import {
  ageColumn,
  column,
  containerColumns,
  integer,
  nameColumn,
  selectorColumn,
} from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { DaemonSet } from './daemonset.ts';
import { selectorCell } from './table-cells.ts';

export const daemonSetTable: TableLayout<DaemonSet> = {
  columns: [
    nameColumn,
    column('Desired', 'The number of nodes that should run the pod.', integer),
    column('Current', 'The number of nodes that run the pod.', integer),
    column('Ready', 'The number of nodes on which the pod is ready.', integer),
    column('Up-to-date', 'The number of nodes that run the pod of the current template.', integer),
    column('Available', 'The number of nodes on which the pod is available.', integer),
    column('Node Selector', 'The node selector of the pods.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(set, ages) {
    const { spec, status, metadata } = set;
    return [
      metadata.name ?? '',
      status.desiredNumberScheduled ?? 0,
      status.currentNumberScheduled ?? 0,
      status.numberReady ?? 0,
      status.updatedNumberScheduled ?? 0,
      status.numberAvailable ?? 0,
      labelText(spec.template.spec.nodeSelector),
      age(set, ages),
      ...containerCells(spec.template.spec),
      selectorCell(spec.selector),
    ];
  },
};
