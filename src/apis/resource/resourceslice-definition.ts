// ResourceSlice v1beta1, the storage version: the resource definition.

import type { KindContext } from '../../kind/context.ts';
import { resource } from '../../kind/resource.ts';
import { ResourceSlice } from './resourceslice.ts';
import { resourceSliceTable } from './resourceslice-table.ts';
import { sliceToV1beta2 } from './slice-conversion.ts';
import { selectableSliceFieldNames, selectableSliceFields, sliceStrategy } from './slice-strategy.ts';

export const resourceslices = (context: KindContext) =>
  resource<ResourceSlice>({
    group: 'resource',
    version: 'v1beta1',
    kind: 'ResourceSlice',
    plural: 'resourceslices',
    namespaced: false,
    schema: ResourceSlice,
    table: resourceSliceTable,
    selectableFieldNames: selectableSliceFieldNames,
    selectableFields: selectableSliceFields,
    strategy: sliceStrategy(context, ResourceSlice, ({ spec }) => sliceToV1beta2(spec)),
  });
