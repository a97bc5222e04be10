// Schema of VolumeAttachment.

import { kind } from '../../kind/meta/kind.ts';
import { mapOf } from '../../schema/collections.ts';
import { bool, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { PersistentVolumeSpec } from '../core/persistentvolume.ts';
import { VolumeError } from './volume-error.ts';

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
