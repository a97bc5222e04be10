// Tables: renders the columnDefinitions and rows of a Table from the printer columns of a kind.

import type { JsonObject, JsonValue } from '../codec/json/json-value.ts';
import type { ApiObject } from './api-object.ts';
import type { AgeFormatter, TableLayout } from './table.ts';

/** The columns of kinds without printer columns. */
export const defaultLayout: TableLayout = {
  columns: [
    {
      name: 'Name',
      type: 'string',
      format: 'name',
      description: 'Unique among the objects of this kind in the namespace. It never changes.',
    },
    { name: 'Created At', type: 'date', description: 'When the server created the object.' },
  ],
  cells: ({ metadata }) => [metadata.name ?? '', metadata.creationTimestamp || zeroTimestamp],
};

/** How upstream prints a zero creationTimestamp. */
const zeroTimestamp = '0001-01-01T00:00:00Z';

/** The columnDefinitions of a Table. */
export function columnDefinitions({ columns }: TableLayout): JsonObject[] {
  return columns.map(({ name, type, format = '', description, priority = 0 }) => ({
    name,
    type,
    format,
    description,
    priority,
  }));
}

/** A row without its `object`. */
export function rowOf(layout: TableLayout, object: ApiObject, ages: AgeFormatter): JsonObject {
  const cells: JsonValue[] = layout.cells(object, ages);
  const conditions = layout.conditions?.(object) ?? [];
  return { cells, ...(conditions.length > 0 && { conditions }) };
}
