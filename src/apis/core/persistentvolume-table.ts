// PersistentVolume: printer columns.

import { age, unset } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { PersistentVolume } from './persistentvolume.ts';
import { formatAccessModes, storageColumns, volumeModeColumn } from './table-cells.ts';

export const persistentVolumeTable: TableLayout<PersistentVolume> = {
  columns: [
    nameColumn,
    column('Capacity', 'The capacity of the volume.'),
    column('Access Modes', 'The access modes of the volume.'),
    column('Reclaim Policy', 'What happens to the volume after it is released from its claim.'),
    column('Status', 'The phase of the volume.'),
    column('Claim', 'The claim that the volume is bound to.'),
    ...storageColumns,
    column('Reason', 'The reason for a failure.'),
    ageColumn,
    volumeModeColumn,
  ],
  cells(volume, ages) {
    const { spec, status, metadata } = volume;
    const { claimRef } = spec;
    return [
      metadata.name ?? '',
      spec.capacity?.storage ?? '',
      formatAccessModes(spec.accessModes),
      spec.persistentVolumeReclaimPolicy ?? '',
      metadata.deletionTimestamp ? 'Terminating' : (status.phase ?? ''),
      claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : '',
      spec.storageClassName ?? '',
      spec.volumeAttributesClassName ?? unset,
      status.reason ?? '',
      age(volume, ages),
      spec.volumeMode ?? unset,
    ];
  },
};
