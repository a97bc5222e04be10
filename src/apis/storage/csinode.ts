// Schema of CSINode.

import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { int32, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

const VolumeNodeResources = struct(
  'storage/v1.VolumeNodeResources',
  {
    count: field(1, optional(int32), {
      doc: 'How many volumes of the driver the node can use; as many as there are when left out. One that is both attached and mounted counts once.',
    }),
  },
  { doc: 'How much of a driver a node can take.' },
);

export const CSINodeDriver = struct(
  'storage/v1.CSINodeDriver',
  {
    name: field(1, string, { required: true, doc: 'The name of the driver.' }),
    nodeID: field(2, string, { required: true, doc: 'What the driver calls the node.' }),
    topologyKeys: field(3, list(string, { type: 'atomic' }), {
      alwaysWritten: true,
      doc: 'Labels of the node that say where in the topology of the driver it is.',
    }),
    allocatable: field(4, optional(VolumeNodeResources), { doc: 'How many volumes the node can take.' }),
  },
  { doc: 'A driver that runs on a node.' },
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
        present: true,
        doc: 'The drivers that run on the node, each once. They come and go, and do not change.',
      },
    ),
  },
  { doc: 'The drivers of a node.' },
);

export const CSINode = kind(
  'storage/v1.CSINode',
  {
    spec: field(2, CSINodeSpec, { required: true, present: true, doc: 'The drivers that run on the node.' }),
  },
  { doc: 'The CSI drivers that run on a node. It has the name of the node, and goes with it.' },
);
export type CSINode = Infer<typeof CSINode>;
