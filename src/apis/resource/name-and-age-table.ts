import type { ApiObject } from '../../kind/api-object.ts';
import { age } from '../../kind/table/cells.ts';
import { ageColumn, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';

/** Kinds of which there is nothing to see but that they are there. */
export const nameAndAgeTable: TableLayout<ApiObject> = {
  columns: [nameColumn, ageColumn],
  cells: (object, now) => [object.metadata.name ?? '', age(object, now)],
};
