import type { Dialect } from '../../dialect/dialect.ts';
import { age, none, unset } from '../../kind/table/cells.ts';
import { ageColumn, boolean, column, integer, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { CSIDriver } from './csidriver.ts';
import type { CSINode } from './csinode.ts';
import type { StorageClass } from './storageclass.ts';
import type { VolumeAttachment } from './volumeattachment.ts';
import type { VolumeAttributesClass } from './volumeattributesclass.ts';

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
  cells(driver, now) {
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
      age(driver, now),
    ];
  },
};

export const csiNodeTable: TableLayout<CSINode> = {
  columns: [nameColumn, column('Drivers', 'How many drivers the node has.', integer), ageColumn],
  cells: (node, now) => [node.metadata.name ?? '', (node.spec.drivers ?? []).length, age(node, now)],
};

export const storageClassTable = ({ annotations }: Dialect): TableLayout<StorageClass> => ({
  columns: [
    nameColumn,
    column('Provisioner', 'Who makes the volumes.'),
    column('ReclaimPolicy', 'What becomes of a volume when its claim is gone.'),
    column('VolumeBindingMode', 'When a volume is chosen.'),
    column('AllowVolumeExpansion', 'Whether volumes can grow.'),
    ageColumn,
  ],
  cells(object, now) {
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
      age(object, now),
    ];
  },
});

export const volumeAttachmentTable: TableLayout<VolumeAttachment> = {
  columns: [
    nameColumn,
    column('Attacher', 'Who attaches it.', { format: 'name' }),
    column('PV', 'The volume.'),
    column('Node', 'The node it is attached to.'),
    column('Attached', 'Whether it is.', boolean),
    ageColumn,
  ],
  cells(attachment, now) {
    const { spec, status, metadata } = attachment;
    return [
      metadata.name ?? '',
      spec.attacher,
      spec.source.persistentVolumeName ?? '',
      spec.nodeName,
      status.attached ?? false,
      age(attachment, now),
    ];
  },
};

export const volumeAttributesClassTable: TableLayout<VolumeAttributesClass> = {
  columns: [nameColumn, column('DriverName', 'The driver it is for.'), ageColumn],
  cells: (object, now) => [object.metadata.name ?? '', object.driverName, age(object, now)],
};
