// CSIDriver: printer columns of its Table.

import { age, none, unset } from '../../kind/table/cells.ts';
import { ageColumn, boolean, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { CSIDriver } from './csidriver.ts';

export const csiDriverTable: TableLayout<CSIDriver> = {
  columns: [
    nameColumn,
    column('AttachRequired', 'Whether volumes must be attached before they are mounted.', boolean),
    column('PodInfoOnMount', 'Whether the driver gets information about the pod on mount.', boolean),
    column('StorageCapacity', 'Whether the scheduler considers the storage capacity.', boolean),
    column('TokenRequests', 'The audiences of the tokens that the driver needs.'),
    column('RequiresRepublish', 'Whether NodePublishVolume is called periodically.', boolean),
    column('Modes', 'The supported volume lifecycle modes.'),
    ageColumn,
  ],
  cells(driver, ages) {
    const { spec, metadata } = driver;
    const audiences = (spec.tokenRequests ?? []).map(({ audience }) => audience);
    return [
      metadata.name ?? '',
      spec.attachRequired ?? true,
      spec.podInfoOnMount ?? false,
      spec.storageCapacity ?? false,
      audiences.join(',') || unset,
      spec.requiresRepublish ?? false,
      (spec.volumeLifecycleModes ?? []).join(',') || none,
      age(driver, ages),
    ];
  },
};
