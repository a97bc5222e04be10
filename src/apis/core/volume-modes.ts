// PersistentVolumeAccessMode, PersistentVolumeMode and PersistentVolumeReclaimPolicy: enums.
import { documentedEnum, named } from '../../schema/scalars.ts';

export const persistentVolumeAccessMode = named(
  'core/v1.PersistentVolumeAccessMode',
  documentedEnum('ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'),
);

export const persistentVolumeMode = named(
  'core/v1.PersistentVolumeMode',
  documentedEnum('Block', 'Filesystem'),
);

export const persistentVolumeReclaimPolicy = named(
  'core/v1.PersistentVolumeReclaimPolicy',
  documentedEnum('Recycle', 'Delete', 'Retain'),
);
