// Printer columns of FlowSchema.

import { age, none } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { FlowSchema } from './flowschema.ts';

export const flowSchemaTable: TableLayout<FlowSchema> = {
  columns: [
    nameColumn,
    column('PriorityLevel', 'The level that requests are handled at.'),
    column('MatchingPrecedence', 'The smaller, the sooner it is chosen.'),
    column('DistinguisherMethod', 'How requests are told apart.'),
    ageColumn,
    column('MissingPL', 'Whether there is no such level.'),
  ],
  cells(schema, ages) {
    const { spec, status, metadata } = schema;
    const dangling = (status.conditions ?? []).find(({ type }) => type === 'Dangling');
    return [
      metadata.name ?? '',
      spec.priorityLevelConfiguration.name,
      spec.matchingPrecedence,
      spec.distinguisherMethod?.type ?? none,
      age(schema, ages),
      dangling?.status ?? '?',
    ];
  },
};
