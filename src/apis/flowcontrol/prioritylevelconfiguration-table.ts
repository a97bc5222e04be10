// PriorityLevelConfiguration: printer columns of its Table.

import { age, none } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { PriorityLevelConfiguration } from './prioritylevelconfiguration.ts';

export const priorityLevelTable: TableLayout<PriorityLevelConfiguration> = {
  columns: [
    nameColumn,
    column('Type', 'Limited or Exempt.'),
    column('NominalConcurrencyShares', 'The share of the concurrency limit of the server.'),
    column('Queues', 'The number of queues.'),
    column('HandSize', 'The number of queues per flow.'),
    column('QueueLengthLimit', 'The maximum number of requests in a queue.'),
    ageColumn,
  ],
  cells(level, ages) {
    const { limited, exempt, type } = level.spec;
    const queuing = limited?.limitResponse.queuing;
    return [
      level.metadata.name ?? '',
      type,
      limited?.nominalConcurrencyShares ?? exempt?.nominalConcurrencyShares ?? none,
      queuing?.queues ?? none,
      queuing?.handSize ?? none,
      queuing?.queueLengthLimit ?? none,
      age(level, ages),
    ];
  },
};
