// Printer columns of PriorityLevelConfiguration.

import { age, none } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { PriorityLevelConfiguration } from './prioritylevelconfiguration.ts';

export const priorityLevelTable: TableLayout<PriorityLevelConfiguration> = {
  columns: [
    nameColumn,
    column('Type', 'Whether its requests are limited.'),
    column('NominalConcurrencyShares', 'Its share of what is handled at a time.'),
    column('Queues', 'How many queues it has.'),
    column('HandSize', 'To how many of them a flow is dealt.'),
    column('QueueLengthLimit', 'How many requests may wait in each.'),
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
