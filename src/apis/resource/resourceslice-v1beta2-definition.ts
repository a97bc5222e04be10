// ResourceSlice v1beta2: the resource definition, with the conversion from and to v1beta1, which is stored.

import type { KindContext } from '../../kind/context.ts';
import { resource } from '../../kind/resource.ts';
import type { ResourceSlice } from './resourceslice.ts';
import { resourceSliceTable } from './resourceslice-table.ts';
import { ResourceSliceV1beta2 } from './resourceslice-v1beta2.ts';
import { sliceFromV1beta2, sliceToV1beta2 } from './slice-conversion.ts';
import { selectableSliceFieldNames, selectableSliceFields, sliceStrategy } from './slice-strategy.ts';

export const resourceslicesV1beta2 = (context: KindContext) =>
  resource<ResourceSliceV1beta2>({
    group: 'resource',
    version: 'v1beta2',
    kind: 'ResourceSlice',
    plural: 'resourceslices',
    namespaced: false,
    schema: ResourceSliceV1beta2,
    table: resourceSliceTable,
    selectableFieldNames: selectableSliceFieldNames,
    selectableFields: selectableSliceFields,
    strategy: sliceStrategy(context, ResourceSliceV1beta2, ({ spec }) => spec),
    conversion: {
      storedVersion: { group: 'resource', version: 'v1beta1' },
      fromStored(stored) {
        const slice = stored as ResourceSlice;
        return { ...slice, spec: sliceToV1beta2(slice.spec) };
      },
      toStored: (object) => ({ ...object, spec: sliceFromV1beta2(object.spec) }),
    },
  });
