// CSINode: printer columns of its Table.

import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, integer, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { CSINode } from './csinode.ts';

export const csiNodeTable: TableLayout<CSINode> = {
  columns: [nameColumn, column('Drivers', 'The number of installed drivers.', integer), ageColumn],
  cells: (node, ages) => [node.metadata.name ?? '', (node.spec.drivers ?? []).length, age(node, ages)],
};
