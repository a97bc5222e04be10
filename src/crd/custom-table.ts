// Custom resources: the Table that kubectl prints, with the columns of additionalPrinterColumns.
import type { CustomResourceColumnDefinition } from '../apis/apiextensions/version.ts';
import { isObject, type JsonValue, RawNumber } from '../codec/json/json-value.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { age, since } from '../kind/table/cells.ts';
import { ageColumn, nameColumn } from '../kind/table/columns.ts';
import type { AgeFormatter, Cell, Column, TableLayout } from '../kind/table.ts';
import { JsonPath } from './json-path.ts';
import { toJsonObject } from './to-json-object.ts';

/** The Table layout of a custom resource; without additionalPrinterColumns it has name and age. */
export function customResourceTable(
  columns: readonly CustomResourceColumnDefinition[] | undefined,
): TableLayout {
  if (!columns || columns.length === 0) {
    return {
      columns: [nameColumn, { ...ageColumn, type: 'date' }],
      cells: (object, now) => [object.metadata.name ?? '', age(object, now)],
    };
  }
  const parsed = columns.map((column) => ({ path: JsonPath.parse(column.jsonPath), type: column.type }));
  return {
    columns: [nameColumn, ...columns.map(columnOf)],
    cells: (object, now) => [
      object.metadata.name ?? '',
      ...parsed.map(({ path, type }) => cellAt(object, path, type, now)),
    ],
  };
}

function columnOf(column: CustomResourceColumnDefinition): Column {
  const { name, type, format, description = '', priority = 0 } = column;
  return {
    name,
    type: type as Column['type'],
    ...(format && { format: format as NonNullable<Column['format']> }),
    description: description || `Custom resource definition column (in JSONPath format): ${column.jsonPath}`,
    priority,
  };
}

/** The first value at the path; null if it is missing or not of the column's type. */
function cellAt(object: ApiObject, path: JsonPath | undefined, type: string, now: AgeFormatter): Cell {
  const [value] = path?.find(toJsonObject(object)) ?? [];
  if (value === undefined) return null;
  switch (type) {
    case 'string':
      return textOf(value);
    case 'integer':
      return isNumber(value) ? Math.trunc(Number(value)) : null;
    case 'number':
      return isNumber(value) ? Number(value) : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? since(value, now) : null;
    default:
      return null;
  }
}

/** RawNumber: a number that JavaScript cannot represent exactly. */
const isNumber = (value: JsonValue) => typeof value === 'number' || value instanceof RawNumber;

function textOf(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (value === null) return '<nil>';
  return isObject(value) || Array.isArray(value) ? stringifyJson(value) : String(value);
}
