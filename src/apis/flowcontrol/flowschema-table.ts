// FlowSchema: printer columns of its Table.

import { age, none } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { FlowSchema } from './flowschema.ts';

export const flowSchemaTable: TableLayout<FlowSchema> = {
  columns: [
    nameColumn,
    column('PriorityLevel', 'The priority level of matching requests.'),
    column('MatchingPrecedence', 'The matching precedence; the lowest number applies first.'),
    column('DistinguisherMethod', 'How requests are separated into flows.'),
    ageColumn,
    column('MissingPL', 'Whether the priority level is missing.'),
  ],
  cells(schema, ages) {
    const { spec, status, metadata } = schema;
    // Dangling: the priority level does not exist.
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
