import type { ApiObject } from './api-object.ts';

/** A column of the Table that a list of a kind is shown as. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** `name` marks the column that tells rows apart. */
  readonly format?: 'name' | 'int32' | 'int64' | 'date-time';
  readonly description: string;
  /** 0 is always shown; higher ones only where there is room. */
  readonly priority?: number;
}

export type Cell = string | number | boolean | null;

/** The time at which a Table is made, as far as cells can tell it. */
export interface AgeFormatter {
  /** How long ago a moment is. It is given in milliseconds since the epoch. */
  ago(moment: number): string;
}

/** How a kind is shown as a Table. */
export interface TableLayout<T extends ApiObject = ApiObject> {
  readonly columns: readonly Column[];
  /** One cell per column. */
  cells(object: T, now: AgeFormatter): Cell[];
  /** What is to be known of a row beside its cells, as `Completed` of a Pod. */
  conditions?(object: T): { type: string; status: string; reason?: string; message?: string }[];
}
