import type { ApiObject } from '../../kind/api-object.ts';
import { age, none, since } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { DeviceTaintRuleV1alpha3 } from './devicetaintrule-v1alpha3.ts';
import type { ResourceClaim } from './resourceclaim.ts';
import type { ResourceSlice } from './resourceslice.ts';

/** Kinds of which there is nothing to see but that they are there. */
export const nameAndAgeTable: TableLayout<ApiObject> = {
  columns: [nameColumn, ageColumn],
  cells: (object, now) => [object.metadata.name ?? '', age(object, now)],
};

export const resourceClaimTable: TableLayout<ResourceClaim> = {
  columns: [nameColumn, column('State', 'Whether it has got devices, and is in use.'), ageColumn],
  cells: (claim, now) => [claim.metadata.name ?? '', claimState(claim), age(claim, now)],
};

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

export const resourceSliceTable: TableLayout<ResourceSlice> = {
  columns: [
    nameColumn,
    column('Node', 'The node that the devices are at.'),
    column('Driver', 'The driver of the devices.'),
    column('Pool', 'The pool they belong to.'),
    ageColumn,
  ],
  cells: (slice, now) => [
    slice.metadata.name ?? '',
    slice.spec.nodeName || none,
    slice.spec.driver,
    slice.spec.pool.name,
    age(slice, now),
  ],
};

export const deviceTaintRuleTable: TableLayout<DeviceTaintRuleV1alpha3> = {
  columns: [
    nameColumn,
    column('Key', 'The taint.'),
    column('Value', 'Its value.'),
    column('Effect', 'What it does to pods that do not tolerate it.'),
    column('TimeAdded', 'Since when.'),
    ageColumn,
  ],
  cells(rule, now) {
    const { key, value = '', effect, timeAdded } = rule.spec.taint;
    return [rule.metadata.name ?? '', key, value, effect, since(timeAdded, now), age(rule, now)];
  },
};
