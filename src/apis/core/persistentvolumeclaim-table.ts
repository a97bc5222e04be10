// PersistentVolumeClaim: printer columns.

import { age, unset } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { PersistentVolumeClaim } from './persistentvolumeclaim.ts';
import { formatAccessModes, storageColumns, volumeModeColumn } from './table-cells.ts';

export const persistentVolumeClaimTable: TableLayout<PersistentVolumeClaim> = {
  columns: [
    nameColumn,
    column('Status', 'The phase of the claim.'),
    column('Volume', 'The volume that the claim is bound to.'),
    column('Capacity', 'The capacity of the volume.'),
    column('Access Modes', 'The access modes of the volume.'),
    ...storageColumns,
    ageColumn,
    volumeModeColumn,
  ],
  cells(claim, ages) {
    const { spec, status, metadata } = claim;
    const isBound = !!spec.volumeName;
    return [
      metadata.name ?? '',
      metadata.deletionTimestamp ? 'Terminating' : (status.phase ?? ''),
      spec.volumeName ?? '',
      isBound ? (status.capacity?.storage ?? '0') : '',
      isBound ? formatAccessModes(status.accessModes) : '',
      spec.storageClassName ?? '',
      spec.volumeAttributesClassName ?? unset,
      age(claim, ages),
      spec.volumeMode ?? unset,
    ];
  },
};
