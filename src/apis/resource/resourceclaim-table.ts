// ResourceClaim: printer columns of its Table.

import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { ResourceClaim } from './resourceclaim.ts';

export const resourceClaimTable: TableLayout<ResourceClaim> = {
  columns: [
    nameColumn,
    column('State', 'Whether the claim is pending, allocated, reserved or being deleted.'),
    ageColumn,
  ],
  cells: (claim, ages) => [claim.metadata.name ?? '', claimState(claim), age(claim, ages)],
};

/** The states separated by commas: `deleted`, then `pending`, or `allocated` and `reserved`. */
function claimState({ metadata, status }: ResourceClaim): string {
  const states: string[] = [];
  if (metadata.deletionTimestamp) states.push('deleted');
  if (!status.allocation) {
    if (!metadata.deletionTimestamp) states.push('pending');
    return states.join(',');
  }
  states.push('allocated');
  if ((status.reservedFor ?? []).length > 0) states.push('reserved');
  return states.join(',');
}
