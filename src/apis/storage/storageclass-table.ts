// Printer columns of StorageClass.

import type { Dialect } from '../../dialect/dialect.ts';
import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { StorageClass } from './storageclass.ts';

export const storageClassTable = ({ annotations }: Dialect): TableLayout<StorageClass> => ({
  columns: [
    nameColumn,
    column('Provisioner', 'The name of the provisioner.'),
    column('ReclaimPolicy', 'The reclaim policy of provisioned volumes.'),
    column('VolumeBindingMode', 'When volumes are provisioned and bound.'),
    column('AllowVolumeExpansion', 'Whether volumes can be expanded.'),
    ageColumn,
  ],
  cells(object, ages) {
    const isDefault = [annotations.defaultStorageClass, annotations.betaDefaultStorageClass].some(
      (annotation) => object.metadata.annotations?.[annotation] === 'true',
    );
    const name = object.metadata.name ?? '';
    return [
      isDefault ? `${name} (default)` : name,
      object.provisioner,
      object.reclaimPolicy ?? 'Delete',
      object.volumeBindingMode ?? 'Immediate',
      object.allowVolumeExpansion ?? false,
      age(object, ages),
    ];
  },
});
