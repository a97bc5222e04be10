import type { KindContext } from '../../kind/context.ts';
import { keepMetadata } from '../../kind/meta/kept-metadata.ts';
import { kind } from '../../kind/meta/kind.ts';
import { resource } from '../../kind/resource.ts';
import { mapOf } from '../../schema/collections.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { bool, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { PersistentVolumeSpec } from '../core/persistentvolume.ts';
import { VolumeError } from './volume-error.ts';
import {
  validateNewVolumeAttachment,
  validateVolumeAttachmentUpdate,
} from './volumeattachment-validation.ts';

export const VolumeAttachmentSource = struct(
  'storage/v1.VolumeAttachmentSource',
  {
    persistentVolumeName: field(1, optional(string), { doc: 'The name of a PersistentVolume.' }),
    inlineVolumeSpec: field(2, optional(PersistentVolumeSpec), {
      doc: 'A CSI volume that stands for one of an older kind, which pods name themselves.',
    }),
  },
  { doc: 'The volume: exactly one of the fields.' },
);
export type VolumeAttachmentSource = Infer<typeof VolumeAttachmentSource>;

export const VolumeAttachmentSpec = struct(
  'storage/v1.VolumeAttachmentSpec',
  {
    attacher: field(1, string, { required: true, doc: 'The driver that has to do it.' }),
    source: field(2, VolumeAttachmentSource, { required: true, doc: 'The volume.' }),
    nodeName: field(3, string, { required: true, doc: 'The node.' }),
  },
  { doc: 'Which volume is to be attached to which node, and by whom. It cannot be changed.' },
);
export type VolumeAttachmentSpec = Infer<typeof VolumeAttachmentSpec>;

export const VolumeAttachmentStatus = struct(
  'storage/v1.VolumeAttachmentStatus',
  {
    attached: field(1, bool, { required: true, doc: 'It is done.' }),
    attachmentMetadata: field(2, mapOf(string), {
      doc: 'What the driver wants to know when the volume is mounted: 256 KiB at most.',
    }),
    attachError: field(3, optional(VolumeError), { doc: 'What went wrong with attaching it, last.' }),
    detachError: field(4, optional(VolumeError), { doc: 'What went wrong with detaching it, last.' }),
  },
  { doc: 'How far the driver is.' },
);
export type VolumeAttachmentStatus = Infer<typeof VolumeAttachmentStatus>;

export const VolumeAttachment = kind(
  'storage/v1.VolumeAttachment',
  {
    spec: field(2, VolumeAttachmentSpec, { required: true, doc: 'What is to be attached where.' }),
    status: field(3, VolumeAttachmentStatus, { doc: 'How far the driver is.' }),
  },
  { doc: 'The wish that a volume be attached to a node. When it is deleted, the volume is detached.' },
);
export type VolumeAttachment = Infer<typeof VolumeAttachment>;

export const volumeattachments = (context: KindContext) => {
  const dropDisabled = ({ status }: VolumeAttachment, old: VolumeAttachment) => {
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
    strategy: {
      validateName: nameIsSubdomain,
      deleteReturnsObject: true,
      prepareForCreate(object) {
        object.status = VolumeAttachmentStatus.zero();
      },
      validate: (object) => validateNewVolumeAttachment(object, context),
      untracked: ['status'],
      prepareForUpdate(object, old) {
        object.status = old.status;
      },
      validateUpdate: (object, old) => validateVolumeAttachmentUpdate(object, old, context),
    },
    subresources: {
      status: {
        verbs: ['get', 'patch', 'update'],
        rules: {
          untracked: ['metadata', 'spec'],
          prepareForUpdate(object, old) {
            object.spec = old.spec;
            keepMetadata(object.metadata, old.metadata);
            dropDisabled(object, old);
          },
          validateUpdate: (object, old) => validateVolumeAttachmentUpdate(object, old, context),
        },
      },
    },
  });
};
