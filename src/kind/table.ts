// Tables: the types by which a kind declares its printer columns.

import type { ApiObject } from './api-object.ts';

export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** `name` marks the primary identifier of a row. */
  readonly format?: 'name' | 'int32' | 'int64' | 'date-time';
  readonly description: string;
  /** Clients always show 0; higher values in wide output. */
  readonly priority?: number;
}

export type Cell = string | number | boolean | null;

/** Formats ages relative to the time of the Table. */
export interface AgeFormatter {
  /** The age of a time in milliseconds since the epoch. */
  ago(moment: number): string;
}

export interface TableLayout<T extends ApiObject = ApiObject> {
  readonly columns: readonly Column[];
  /** One cell per column. */
  cells(object: T, ages: AgeFormatter): Cell[];
  /** Row conditions, as `Completed` of a Pod. */
  conditions?(object: T): { type: string; status: string; reason?: string; message?: string }[];
}
