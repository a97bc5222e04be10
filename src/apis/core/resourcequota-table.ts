// ResourceQuota: printer columns.

import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { ResourceQuota } from './resourcequota.ts';

export const resourceQuotaTable: TableLayout<ResourceQuota> = {
  columns: [
    nameColumn,
    column('Request', 'The usage and the hard limit of all resources but limits.'),
    column('Limit', 'The usage and the hard limit of limits.'),
    ageColumn,
  ],
  cells(quota, ages) {
    const resources = Object.keys(quota.status.hard ?? {}).sort();
    const requests = resources.filter((name) => !name.startsWith('limits'));
    const limits = resources.filter((name) => name.startsWith('limits'));
    return [
      quota.metadata.name ?? '',
      usageCell(quota, requests),
      usageCell(quota, limits),
      age(quota, ages),
    ];
  },
};

/** The used and the hard amount of each resource: `pods: 3/10, requests.cpu: 500m/2`. */
function usageCell({ status }: ResourceQuota, resources: readonly string[]): string {
  const { hard = {}, used = {} } = status;
  return resources.map((name) => `${name}: ${used[name] ?? '0'}/${hard[name]}`).join(', ');
}
