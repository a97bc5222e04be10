import { list } from '../../schema/collections.ts';
import { int32, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

export const VolumeNodeResources = struct('storage/v1.VolumeNodeResources', {
  count: field(1, optional(int32)),
});
export type VolumeNodeResources = Infer<typeof VolumeNodeResources>;

export const CSINodeDriver = struct('storage/v1.CSINodeDriver', {
  name: field(1, string, { required: true }),
  nodeID: field(2, string, { required: true }),
  topologyKeys: field(3, list(string, { type: 'atomic' }), { alwaysWritten: true }),
  allocatable: field(4, optional(VolumeNodeResources)),
});
export type CSINodeDriver = Infer<typeof CSINodeDriver>;

export const CSINodeSpec = struct('storage/v1.CSINodeSpec', {
  drivers: field(1, list(CSINodeDriver, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }), {
    required: true,
  }),
});
export type CSINodeSpec = Infer<typeof CSINodeSpec>;

export const CSINode = kind(
  'storage/v1.CSINode',
  {
    spec: field(2, CSINodeSpec, { required: true }),
  },
  { doc: '' },
);
export type CSINode = Infer<typeof CSINode>;

export const csinodes = (context: KindContext) =>
  resource<CSINode>({
    group: 'storage',
    version: 'v1',
    kind: 'CSINode',
    plural: 'csinodes',
    namespaced: false,
    schema: CSINode,
    strategy: { ...plainStrategy(context, CSINode), deleteReturnsObject: true },
  });
