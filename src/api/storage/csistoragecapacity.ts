import { quantity } from '../../schema/quantity-type.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, optional } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

export const CSIStorageCapacity = kind(
  'storage/v1.CSIStorageCapacity',
  {
    nodeTopology: field(2, optional(LabelSelector)),
    storageClassName: field(3, string, { required: true }),
    capacity: field(4, optional(quantity)),
    maximumVolumeSize: field(5, optional(quantity)),
  },
  { doc: '' },
);
export type CSIStorageCapacity = Infer<typeof CSIStorageCapacity>;

export const csistoragecapacities = (context: KindContext) =>
  resource<CSIStorageCapacity>({
    group: 'storage',
    version: 'v1',
    kind: 'CSIStorageCapacity',
    plural: 'csistoragecapacities',
    schema: CSIStorageCapacity,
    strategy: plainStrategy(context, CSIStorageCapacity),
  });
