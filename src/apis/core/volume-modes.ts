// PersistentVolumeAccessMode, PersistentVolumeMode and PersistentVolumeReclaimPolicy: enums.
import { named, publishedEnum } from '../../schema/scalars.ts';

export const persistentVolumeAccessMode = named(
  'core/v1.PersistentVolumeAccessMode',
  publishedEnum('ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'),
);

export const persistentVolumeMode = named(
  'core/v1.PersistentVolumeMode',
  publishedEnum('Block', 'Filesystem'),
);

export const persistentVolumeReclaimPolicy = named(
  'core/v1.PersistentVolumeReclaimPolicy',
  publishedEnum('Recycle', 'Delete', 'Retain'),
);
