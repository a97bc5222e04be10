// Schema of StorageClass.

import { kind } from '../../kind/meta/kind.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { bool, named, publishedEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional } from '../../schema/struct.ts';
import { TopologySelectorTerm } from '../core/topology-selector.ts';
import { persistentVolumeReclaimPolicy } from '../core/volume-modes.ts';

export const StorageClass = kind(
  'storage/v1.StorageClass',
  {
    provisioner: field(2, string, {
      required: true,
      doc: 'The name of the provisioner. Immutable.',
    }),
    parameters: field(3, mapOf(string), {
      doc: 'Parameters for the provisioner, at most 512 entries and 256 KiB. Immutable.',
    }),
    reclaimPolicy: field(4, optional(persistentVolumeReclaimPolicy), {
      default: 'Delete',
      doc: 'The reclaim policy of provisioned volumes: Delete (default) or Retain. Immutable.',
    }),
    mountOptions: field(5, list(string, { type: 'atomic' }), {
      doc: 'The mount options of provisioned volumes. They are not validated.',
    }),
    allowVolumeExpansion: field(6, optional(bool), { doc: 'Whether volumes can be expanded.' }),
    volumeBindingMode: field(
      7,
      optional(named('storage/v1.VolumeBindingMode', publishedEnum('Immediate', 'WaitForFirstConsumer'))),
      {
        default: 'Immediate',
        doc: 'Whether volumes are provisioned and bound immediately (Immediate, the default) or when a pod that uses the claim is scheduled (WaitForFirstConsumer). Immutable.',
      },
    ),
    allowedTopologies: field(8, list(TopologySelectorTerm, { type: 'atomic' }), {
      doc: 'The topology domains in which volumes can be provisioned. Absent: no restriction.',
    }),
  },
  { doc: 'A class of storage that claims request by name, with the parameters of dynamic provisioning.' },
);
export type StorageClass = Infer<typeof StorageClass>;
