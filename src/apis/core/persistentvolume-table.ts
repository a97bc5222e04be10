// PersistentVolume: printer columns.

import { age, unset } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { PersistentVolume } from './persistentvolume.ts';
import { accessModes, storageColumns, volumeModeColumn } from './table-cells.ts';

export const persistentVolumeTable: TableLayout<PersistentVolume> = {
  columns: [
    nameColumn,
    column('Capacity', 'How large it is.'),
    column('Access Modes', 'How it can be mounted.'),
    column('Reclaim Policy', 'What becomes of it when its claim is gone.'),
    column('Status', 'Whether it is free, claimed, or neither.'),
    column('Claim', 'The claim it is bound to.'),
    ...storageColumns,
    column('Reason', 'Why it is in that state.'),
    ageColumn,
    volumeModeColumn,
  ],
  cells(volume, ages) {
    const { spec, status, metadata } = volume;
    const { claimRef } = spec;
    return [
      metadata.name ?? '',
      spec.capacity?.storage ?? '',
      accessModes(spec.accessModes),
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
