// Printer columns shared by core kinds: cells and columns.
import { column, wide } from '../../kind/table/columns.ts';
import type { Column } from '../../kind/table.ts';

export const countEntries = (map: object | undefined) => Object.keys(map ?? {}).length;

const modes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

export const formatAccessModes = (accessModes: readonly string[] | undefined) =>
  Object.entries(modes)
    .filter(([mode]) => accessModes?.includes(mode))
    .map(([, short]) => short)
    .join(',');

export const volumeModeColumn = wide('VolumeMode', 'Filesystem or Block.');

export const storageColumns: readonly Column[] = [
  column('StorageClass', 'The StorageClass of the volume or claim.'),
  column('VolumeAttributesClass', 'The VolumeAttributesClass of the volume or claim.'),
];
