// PersistentVolumeAccessMode, PersistentVolumeMode and PersistentVolumeReclaimPolicy: enums.
import { named, oneOf } from '../../schema/scalars.ts';

export const persistentVolumeAccessMode = named(
  'core/v1.PersistentVolumeAccessMode',
  oneOf('ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'),
);

export const persistentVolumeMode = named('core/v1.PersistentVolumeMode', oneOf('Block', 'Filesystem'));

export const persistentVolumeReclaimPolicy = named(
  'core/v1.PersistentVolumeReclaimPolicy',
  oneOf('Recycle', 'Delete', 'Retain'),
);
