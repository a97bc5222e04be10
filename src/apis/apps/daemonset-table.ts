// DaemonSet: printer columns.

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
    column('Desired', 'On how many nodes it should run.', integer),
    column('Current', 'On how many it does.', integer),
    column('Ready', 'On how many it is ready.', integer),
    column('Up-to-date', 'On how many it is as the template has it.', integer),
    column('Available', 'On how many it has been ready for long enough.', integer),
    column('Node Selector', 'The labels of the nodes.'),
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
