// Printer columns of CSIDriver.

import { age, none, unset } from '../../kind/table/cells.ts';
import { ageColumn, boolean, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { CSIDriver } from './csidriver.ts';

export const csiDriverTable: TableLayout<CSIDriver> = {
  columns: [
    nameColumn,
    column('AttachRequired', 'Whether volumes are attached before they are mounted.', boolean),
    column('PodInfoOnMount', 'Whether it is told of the pod.', boolean),
    column('StorageCapacity', 'Whether pods are put where there is room.', boolean),
    column('TokenRequests', 'Whom it is given tokens for.'),
    column('RequiresRepublish', 'Whether it is asked again from time to time.', boolean),
    column('Modes', 'What sorts of volumes it has.'),
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
