// ResourceSlice: printer columns of its Table.

import { age, none } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { ResourceSlice } from './resourceslice.ts';

export const resourceSliceTable: TableLayout<ResourceSlice> = {
  columns: [
    nameColumn,
    column('Node', 'The node of the devices.'),
    column('Driver', 'The driver of the devices.'),
    column('Pool', 'The pool of the devices.'),
    ageColumn,
  ],
  cells: (slice, ages) => [
    slice.metadata.name ?? '',
    slice.spec.nodeName || none,
    slice.spec.driver,
    slice.spec.pool.name,
    age(slice, ages),
  ],
};
