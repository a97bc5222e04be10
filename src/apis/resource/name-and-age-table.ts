// DRA kinds whose Table shows only name and age: printer columns.

import type { ApiObject } from '../../kind/api-object.ts';
import { age } from '../../kind/table/cells.ts';
import { ageColumn, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';

export const nameAndAgeTable: TableLayout<ApiObject> = {
  columns: [nameColumn, ageColumn],
  cells: (object, ages) => [object.metadata.name ?? '', age(object, ages)],
};
