// Table: column definitions that several kinds share.

import type { Column } from '../table.ts';

type Details = Partial<Pick<Column, 'type' | 'format' | 'priority'>>;

export function column(name: string, description: string, details: Details = {}): Column {
  return { name, type: 'string', description, ...details };
}

/** A column with priority 1, which kubectl shows with `-o wide`. */
export function wide(name: string, description: string, details: Details = {}): Column {
  return column(name, description, { ...details, priority: 1 });
}

export const nameColumn = column('Name', 'The name of the object.', { format: 'name' });
export const ageColumn = column('Age', 'The time since creation.');
export const containerColumns: readonly Column[] = [
  wide('Containers', 'The names of the containers.'),
  wide('Images', 'The images of the containers.'),
];
export const selectorColumn = wide('Selector', 'The label selector of the pods.');

export const integer = { type: 'integer' } as const;
export const boolean = { type: 'boolean' } as const;
