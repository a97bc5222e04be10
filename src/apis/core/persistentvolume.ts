// PersistentVolume: schema.
import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { documentedEnum, named, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
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
  { required: field(1, optional(NodeSelector), { doc: 'The nodes that can reach the volume.' }) },
  { doc: 'Where in the cluster a volume can be reached.' },
);
export type VolumeNodeAffinity = Infer<typeof VolumeNodeAffinity>;

export const PersistentVolumeSpec = struct(
  'core/v1.PersistentVolumeSpec',
  {
    capacity: field(1, resourceList, { doc: 'How large it is: `storage`, and nothing else.' }),
    ...inline(2, PersistentVolumeSource),
    accessModes: field(3, list(persistentVolumeAccessMode, { type: 'atomic' }), {
      doc: 'By how many nodes or pods at once it can be used, and how. At least one.',
    }),
    claimRef: field(4, optional(ObjectReference), {
      mapType: 'granular',
      doc: 'The claim that it is bound to, or is to be bound to.',
    }),
    persistentVolumeReclaimPolicy: field(5, persistentVolumeReclaimPolicy, {
      doc: 'What becomes of it when its claim is gone: Retain (when left out), Delete, or Recycle (deprecated).',
    }),
    storageClassName: field(6, string, { doc: 'The StorageClass it belongs to; to none when empty.' }),
    mountOptions: field(7, list(string, { type: 'atomic' }), {
      doc: 'Options for mounting it. They are not checked: a mount with a wrong one fails.',
    }),
    volumeMode: field(8, optional(persistentVolumeMode), {
      doc: 'Whether it is a file system (when left out) or a raw block device.',
    }),
    nodeAffinity: field(9, optional(VolumeNodeAffinity), {
      doc: 'Which nodes can reach it. It cannot be changed once set.',
    }),
    volumeAttributesClassName: field(10, optional(string), {
      doc: 'The VolumeAttributesClass it has; only for CSI volumes. Needs the feature VolumeAttributesClass.',
    }),
  },
  { doc: 'A piece of storage: where it is, how large, and how it can be used.' },
);
export type PersistentVolumeSpec = Infer<typeof PersistentVolumeSpec>;

export const PersistentVolumeStatus = struct(
  'core/v1.PersistentVolumeStatus',
  {
    phase: field(
      1,
      named(
        'core/v1.PersistentVolumePhase',
        documentedEnum('Pending', 'Available', 'Bound', 'Released', 'Failed'),
      ),
      { doc: 'Whether it is free, bound to a claim, left behind by one, or broken.' },
    ),
    message: field(2, string, { doc: 'Why it is in this phase, for people.' }),
    reason: field(3, string, { doc: 'Why it failed, in one word.' }),
    lastPhaseTransitionTime: field(4, optional(time), {
      doc: 'When the phase last changed. The server writes it where the client does not.',
    }),
  },
  { doc: 'How a volume is doing.' },
);
export type PersistentVolumeStatus = Infer<typeof PersistentVolumeStatus>;

export const PersistentVolume = kind(
  'core/v1.PersistentVolume',
  {
    spec: field(2, PersistentVolumeSpec, { doc: 'What the volume is.' }),
    status: field(3, PersistentVolumeStatus, { doc: 'How it is doing, as the control plane sees it.' }),
  },
  {
    doc: 'A piece of storage of the cluster, made by an administrator or on demand by a provisioner. Claims are bound to it.',
    defaults({ spec, status }) {
      status.phase ||= 'Pending';
      spec.persistentVolumeReclaimPolicy ||= 'Retain';
      spec.volumeMode ??= 'Filesystem';
    },
  },
);
export type PersistentVolume = Infer<typeof PersistentVolume>;
