// CSINode: schema.

import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { int32, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

const VolumeNodeResources = struct(
  'storage/v1.VolumeNodeResources',
  {
    count: field(1, optional(int32), {
      doc: 'The maximum number of unique volumes of the driver that the node can use. Unlimited if absent. A volume that is both attached and mounted counts once.',
    }),
  },
  { doc: 'The volume limits of a driver on a node.' },
);

export const CSINodeDriver = struct(
  'storage/v1.CSINodeDriver',
  {
    name: field(1, string, { required: true, doc: 'The name of the CSI driver.' }),
    nodeID: field(2, string, { required: true, doc: 'The id of the node at the driver.' }),
    topologyKeys: field(3, list(string, { type: 'atomic' }), {
      omitEmpty: false,
      doc: 'Keys of node labels that the driver uses for topology.',
    }),
    allocatable: field(4, optional(VolumeNodeResources), {
      doc: 'The volume limits of the driver on the node.',
    }),
  },
  { doc: 'A CSI driver that is installed on a node.' },
);
export type CSINodeDriver = Infer<typeof CSINodeDriver>;

const CSINodeSpec = struct(
  'storage/v1.CSINodeSpec',
  {
    drivers: field(
      1,
      list(CSINodeDriver, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
      {
        required: true,
        mustBePresent: true,
        doc: 'The drivers that are installed on the node, with unique names. Drivers may be added and removed; existing entries are immutable.',
      },
    ),
  },
  { doc: 'The specification of a CSINode.' },
);

export const CSINode = kind(
  'storage/v1.CSINode',
  {
    spec: field(2, CSINodeSpec, {
      required: true,
      mustBePresent: true,
      doc: 'The drivers that are installed on the node.',
    }),
  },
  {
    doc: 'The CSI drivers that are installed on a node. It has the name of the node and is deleted with it.',
  },
);
export type CSINode = Infer<typeof CSINode>;
