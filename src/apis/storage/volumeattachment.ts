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
    persistentVolumeName: field(1, optional(string), { doc: 'The name of the PersistentVolume to attach.' }),
    inlineVolumeSpec: field(2, optional(PersistentVolumeSpec), {
      doc: 'The specification of a migrated in-tree inline volume as a CSI volume.',
    }),
  },
  { doc: 'The volume to attach: exactly one of the fields is set.' },
);
export type VolumeAttachmentSource = Infer<typeof VolumeAttachmentSource>;

export const VolumeAttachmentSpec = struct(
  'storage/v1.VolumeAttachmentSpec',
  {
    attacher: field(1, string, { required: true, doc: 'The CSI driver that attaches the volume.' }),
    source: field(2, VolumeAttachmentSource, { required: true, doc: 'The volume to attach.' }),
    nodeName: field(3, string, { required: true, doc: 'The node to attach the volume to.' }),
  },
  { doc: 'The specification of a VolumeAttachment. Immutable.' },
);
export type VolumeAttachmentSpec = Infer<typeof VolumeAttachmentSpec>;

export const VolumeAttachmentStatus = struct(
  'storage/v1.VolumeAttachmentStatus',
  {
    attached: field(1, bool, { required: true, doc: 'Whether the volume is attached.' }),
    attachmentMetadata: field(2, mapOf(string), {
      doc: 'Information of the attach operation for the mount, at most 256 KiB.',
    }),
    attachError: field(3, optional(VolumeError), { doc: 'The last error of the attach operation.' }),
    detachError: field(4, optional(VolumeError), { doc: 'The last error of the detach operation.' }),
  },
  { doc: 'The status of the attach or detach operation.' },
);
export type VolumeAttachmentStatus = Infer<typeof VolumeAttachmentStatus>;

export const VolumeAttachment = kind(
  'storage/v1.VolumeAttachment',
  {
    spec: field(2, VolumeAttachmentSpec, { required: true, doc: 'The volume and the node.' }),
    status: field(3, VolumeAttachmentStatus, { doc: 'The status of the attach or detach operation.' }),
  },
  { doc: 'The intent to attach a volume to a node. Deleting it detaches the volume.' },
);
export type VolumeAttachment = Infer<typeof VolumeAttachment>;
