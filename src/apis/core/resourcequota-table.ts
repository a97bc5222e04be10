// ResourceQuota: printer columns.

import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { ResourceList } from './resource-list.ts';
import type { ResourceQuota } from './resourcequota.ts';

export const resourceQuotaTable: TableLayout<ResourceQuota> = {
  columns: [
    nameColumn,
    column('Request', 'The usage and the hard limit of all resources but limits.'),
    column('Limit', 'The usage and the hard limit of limits.'),
    ageColumn,
  ],
  cells(quota, ages) {
    const { hard = {}, used = {} } = quota.status;
    const usage = (isLimit: boolean) =>
      Object.keys(hard)
        .sort()
        .filter((name) => name.startsWith('limits') === isLimit)
        .map((name) => `${name}: ${amount(used, name)}/${hard[name]}`)
        .join(', ');
    return [quota.metadata.name ?? '', usage(false), usage(true), age(quota, ages)];
  },
};

const amount = (amounts: ResourceList, name: string) => amounts[name] ?? '0';
