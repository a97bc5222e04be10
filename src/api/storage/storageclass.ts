import { list, mapOf } from '../../schema/collections.ts';
import { bool, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { TopologySelectorTerm } from '../core/topology-selector.ts';
import { persistentVolumeReclaimPolicy } from '../core/volume-modes.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

export const StorageClass = kind(
  'storage/v1.StorageClass',
  {
    provisioner: field(2, string, { required: true }),
    parameters: field(3, mapOf(string)),
    reclaimPolicy: field(4, optional(persistentVolumeReclaimPolicy)),
    mountOptions: field(5, list(string, { type: 'atomic' })),
    allowVolumeExpansion: field(6, optional(bool)),
    volumeBindingMode: field(
      7,
      optional(named('storage/v1.VolumeBindingMode', oneOf('Immediate', 'WaitForFirstConsumer'))),
    ),
    allowedTopologies: field(8, list(TopologySelectorTerm, { type: 'atomic' })),
  },
  { doc: '' },
);
export type StorageClass = Infer<typeof StorageClass>;

export const storageclasses = (context: KindContext) =>
  resource<StorageClass>({
    group: 'storage',
    version: 'v1',
    kind: 'StorageClass',
    plural: 'storageclasses',
    shortNames: ['sc'],
    namespaced: false,
    schema: StorageClass,
    strategy: { ...plainStrategy(context, StorageClass), deleteReturnsObject: true },
  });
