// Schema of StorageClass.

import { kind } from '../../kind/meta/kind.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { bool, documentedEnum, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional } from '../../schema/struct.ts';
import { TopologySelectorTerm } from '../core/topology-selector.ts';
import { persistentVolumeReclaimPolicy } from '../core/volume-modes.ts';

export const StorageClass = kind(
  'storage/v1.StorageClass',
  {
    provisioner: field(2, string, {
      required: true,
      doc: 'Who makes the volumes: the name of a driver. It cannot be changed.',
    }),
    parameters: field(3, mapOf(string), {
      doc: 'What the provisioner is told: 512 entries and 256 KiB at most. They cannot be changed.',
    }),
    reclaimPolicy: field(4, optional(persistentVolumeReclaimPolicy), {
      default: 'Delete',
      doc: 'What becomes of a volume whose claim is gone: Delete (when left out) or Retain. It cannot be changed.',
    }),
    mountOptions: field(5, list(string, { type: 'atomic' }), {
      doc: 'Mount options that volumes get. They are not checked.',
    }),
    allowVolumeExpansion: field(6, optional(bool), { doc: 'Volumes may grow.' }),
    volumeBindingMode: field(
      7,
      optional(named('storage/v1.VolumeBindingMode', documentedEnum('Immediate', 'WaitForFirstConsumer'))),
      {
        default: 'Immediate',
        doc: 'Whether a claim gets its volume at once (when left out), or when a pod that uses it is placed. It cannot be changed.',
      },
    ),
    allowedTopologies: field(8, list(TopologySelectorTerm, { type: 'atomic' }), {
      doc: 'Where in the cluster volumes may be made; anywhere when left out.',
    }),
  },
  { doc: 'A sort of storage that claims can ask for by its name, and how volumes of it are made.' },
);
export type StorageClass = Infer<typeof StorageClass>;
