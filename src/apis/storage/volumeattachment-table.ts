// Printer columns of VolumeAttachment.

import { age } from '../../kind/table/cells.ts';
import { ageColumn, boolean, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { VolumeAttachment } from './volumeattachment.ts';

export const volumeAttachmentTable: TableLayout<VolumeAttachment> = {
  columns: [
    nameColumn,
    column('Attacher', 'The CSI driver that attaches the volume.', { format: 'name' }),
    column('PV', 'The PersistentVolume.'),
    column('Node', 'The node that the volume is attached to.'),
    column('Attached', 'Whether the volume is attached.', boolean),
    ageColumn,
  ],
  cells(attachment, ages) {
    const { spec, status, metadata } = attachment;
    return [
      metadata.name ?? '',
      spec.attacher,
      spec.source.persistentVolumeName ?? '',
      spec.nodeName,
      status.attached ?? false,
      age(attachment, ages),
    ];
  },
};
