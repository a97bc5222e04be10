// Printer columns of VolumeAttachment.

import { age } from '../../kind/table/cells.ts';
import { ageColumn, boolean, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { VolumeAttachment } from './volumeattachment.ts';

export const volumeAttachmentTable: TableLayout<VolumeAttachment> = {
  columns: [
    nameColumn,
    column('Attacher', 'Who attaches it.', { format: 'name' }),
    column('PV', 'The volume.'),
    column('Node', 'The node it is attached to.'),
    column('Attached', 'Whether it is.', boolean),
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
