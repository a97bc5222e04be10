// PersistentVolume: schema.
import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { named, publishedEnum, string, time } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import { NodeSelector } from './node-selector.ts';
import { ObjectReference } from './object-reference.ts';
import { PersistentVolumeSource } from './persistentvolume-sources.ts';
import { resourceList } from './resource-list.ts';
import {
  persistentVolumeAccessMode,
  persistentVolumeMode,
  persistentVolumeReclaimPolicy,
} from './volume-modes.ts';

export const VolumeNodeAffinity = struct(
  'core/v1.VolumeNodeAffinity',
  { required: field(1, optional(NodeSelector), { doc: 'The nodes that can access the volume.' }) },
  { doc: 'The nodes from which a volume is accessible.' },
);
export type VolumeNodeAffinity = Infer<typeof VolumeNodeAffinity>;

export const PersistentVolumeSpec = struct(
  'core/v1.PersistentVolumeSpec',
  {
    capacity: field(1, resourceList, { doc: 'The capacity of the volume. Only `storage` is allowed.' }),
    ...inline(2, PersistentVolumeSource),
    accessModes: field(3, list(persistentVolumeAccessMode, { type: 'atomic' }), {
      doc: 'The access modes that the volume supports, at least one.',
    }),
    claimRef: field(4, optional(ObjectReference), {
      mapType: 'granular',
      doc: 'The PersistentVolumeClaim that the volume is bound to, or reserved for.',
    }),
    persistentVolumeReclaimPolicy: field(5, persistentVolumeReclaimPolicy, {
      doc: 'What happens to the volume after it is released from its claim: Retain (default), Delete or Recycle (deprecated).',
    }),
    storageClassName: field(6, string, { doc: 'The StorageClass of the volume. Empty: no class.' }),
    mountOptions: field(7, list(string, { type: 'atomic' }), {
      doc: 'Mount options. They are not validated: the mount fails if one is invalid.',
    }),
    volumeMode: field(8, optional(persistentVolumeMode), {
      doc: 'Filesystem (default) or Block.',
    }),
    nodeAffinity: field(9, optional(VolumeNodeAffinity), {
      doc: 'The nodes that can access the volume. Immutable once set.',
    }),
    volumeAttributesClassName: field(10, optional(string), {
      doc: 'The VolumeAttributesClass of the volume; for CSI volumes only. Requires the feature gate VolumeAttributesClass.',
    }),
  },
  { doc: 'The specification of a PersistentVolume.' },
);
export type PersistentVolumeSpec = Infer<typeof PersistentVolumeSpec>;

export const PersistentVolumeStatus = struct(
  'core/v1.PersistentVolumeStatus',
  {
    phase: field(
      1,
      named(
        'core/v1.PersistentVolumePhase',
        publishedEnum('Pending', 'Available', 'Bound', 'Released', 'Failed'),
      ),
      { doc: 'Pending, Available, Bound, Released or Failed.' },
    ),
    message: field(2, string, { doc: 'A human-readable explanation of the phase.' }),
    reason: field(3, string, { doc: 'A short reason for a failure.' }),
    lastPhaseTransitionTime: field(4, optional(time), {
      doc: 'When the phase last changed. Set by the server if the client does not set it.',
    }),
  },
  { doc: 'The current status of a PersistentVolume.' },
);
export type PersistentVolumeStatus = Infer<typeof PersistentVolumeStatus>;

export const PersistentVolume = kind(
  'core/v1.PersistentVolume',
  {
    spec: field(2, PersistentVolumeSpec, { doc: 'The specification of the volume.' }),
    status: field(3, PersistentVolumeStatus, { doc: 'The current status of the volume.' }),
  },
  {
    doc: 'A storage volume of the cluster, created by an administrator or dynamically by a provisioner. PersistentVolumeClaims bind to it.',
    defaults({ spec, status }) {
      status.phase ||= 'Pending';
      spec.persistentVolumeReclaimPolicy ||= 'Retain';
      spec.volumeMode ??= 'Filesystem';
    },
  },
);
export type PersistentVolume = Infer<typeof PersistentVolume>;
