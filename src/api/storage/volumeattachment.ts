import { mapOf } from '../../schema/collections.ts';
import { bool, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { PersistentVolumeSpec } from '../core/persistentvolume.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { VolumeError } from './volume-error.ts';

export const VolumeAttachmentSource = struct('storage/v1.VolumeAttachmentSource', {
  persistentVolumeName: field(1, optional(string)),
  inlineVolumeSpec: field(2, optional(PersistentVolumeSpec)),
});
export type VolumeAttachmentSource = Infer<typeof VolumeAttachmentSource>;

export const VolumeAttachmentSpec = struct('storage/v1.VolumeAttachmentSpec', {
  attacher: field(1, string, { required: true }),
  source: field(2, VolumeAttachmentSource, { required: true }),
  nodeName: field(3, string, { required: true }),
});
export type VolumeAttachmentSpec = Infer<typeof VolumeAttachmentSpec>;

export const VolumeAttachmentStatus = struct('storage/v1.VolumeAttachmentStatus', {
  attached: field(1, bool, { required: true }),
  attachmentMetadata: field(2, mapOf(string)),
  attachError: field(3, optional(VolumeError)),
  detachError: field(4, optional(VolumeError)),
});
export type VolumeAttachmentStatus = Infer<typeof VolumeAttachmentStatus>;

export const VolumeAttachment = kind(
  'storage/v1.VolumeAttachment',
  {
    spec: field(2, VolumeAttachmentSpec, { required: true }),
    status: field(3, VolumeAttachmentStatus),
  },
  { doc: '' },
);
export type VolumeAttachment = Infer<typeof VolumeAttachment>;

export const volumeattachments = (context: KindContext) =>
  resource<VolumeAttachment>({
    group: 'storage',
    version: 'v1',
    kind: 'VolumeAttachment',
    plural: 'volumeattachments',
    namespaced: false,
    schema: VolumeAttachment,
    strategy: { ...plainStrategy(context, VolumeAttachment), deleteReturnsObject: true },
    subresources: { status: statusOf(context, VolumeAttachment) },
  });
