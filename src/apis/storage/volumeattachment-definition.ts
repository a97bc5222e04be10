// Resource definition of VolumeAttachment: names, verbs, strategy and subresources.

import type { KindContext } from '../../kind/context.ts';
import { resetObjectMetaForStatus } from '../../kind/meta/reset-object-meta.ts';
import { resource } from '../../kind/resource.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { VolumeAttachment, VolumeAttachmentStatus } from './volumeattachment.ts';
import { volumeAttachmentTable } from './volumeattachment-table.ts';
import {
  validateNewVolumeAttachment,
  validateVolumeAttachmentUpdate,
} from './volumeattachment-validation.ts';

export const volumeattachments = (context: KindContext) => {
  /** Drops the error codes of a disabled feature, unless the stored object already has them. */
  const dropDisabledFields = ({ status }: VolumeAttachment, old: VolumeAttachment) => {
    if (context.features.enabled('MutableCSINodeAllocatableCount')) return;
    for (const error of ['attachError', 'detachError'] as const) {
      if (old.status[error]?.errorCode === undefined) delete status[error]?.errorCode;
    }
  };
  return resource<VolumeAttachment>({
    group: 'storage',
    version: 'v1',
    kind: 'VolumeAttachment',
    plural: 'volumeattachments',
    namespaced: false,
    schema: VolumeAttachment,
    table: volumeAttachmentTable,
    strategy: {
      validateName: nameIsSubdomain,
      deleteReturnsObject: true,
      prepareForCreate(object) {
        object.status = VolumeAttachmentStatus.zero();
      },
      validate: (object) => validateNewVolumeAttachment(object, context),
      resetFields: ['status'],
      prepareForUpdate(object, old) {
        object.status = old.status;
      },
      validateUpdate: (object, old) => validateVolumeAttachmentUpdate(object, old, context),
    },
    subresources: {
      status: {
        verbs: ['get', 'patch', 'update'],
        rules: {
          resetFields: ['metadata', 'spec'],
          prepareForUpdate(object, old) {
            object.spec = old.spec;
            resetObjectMetaForStatus(object.metadata, old.metadata);
            dropDisabledFields(object, old);
          },
          validateUpdate: (object, old) => validateVolumeAttachmentUpdate(object, old, context),
        },
      },
    },
  });
};
