// Printer columns shared by core kinds: cells and columns.
import { column, wide } from '../../kind/table/columns.ts';
import type { Column } from '../../kind/table.ts';

export const countEntries = (map: object | undefined) => Object.keys(map ?? {}).length;

/** In the order in which a cell lists them. */
const accessModeAbbreviations: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

/** `RWO,ROX`: each mode once. */
export const formatAccessModes = (accessModes: readonly string[] | undefined) =>
  Object.entries(accessModeAbbreviations)
    .filter(([mode]) => accessModes?.includes(mode))
    .map(([, abbreviation]) => abbreviation)
    .join(',');

export const volumeModeColumn = wide('VolumeMode', 'Filesystem or Block.');

export const storageColumns: readonly Column[] = [
  column('StorageClass', 'The StorageClass of the volume or claim.'),
  column('VolumeAttributesClass', 'The VolumeAttributesClass of the volume or claim.'),
];
