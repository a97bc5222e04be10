import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, integer, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { PodDisruptionBudget } from './poddisruptionbudget.ts';

export const podDisruptionBudgetTable: TableLayout<PodDisruptionBudget> = {
  columns: [
    nameColumn,
    column('Min Available', 'How many pods must stay available.'),
    column('Max Unavailable', 'How many may be unavailable.'),
    column('Allowed Disruptions', 'How many may be evicted now.', integer),
    ageColumn,
  ],
  cells(budget, now) {
    const { spec, status, metadata } = budget;
    return [
      metadata.name ?? '',
      String(spec.minAvailable ?? 'N/A'),
      String(spec.maxUnavailable ?? 'N/A'),
      status.disruptionsAllowed ?? 0,
      age(budget, now),
    ];
  },
};
