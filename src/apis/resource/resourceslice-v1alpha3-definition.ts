// ResourceSlice v1alpha3: the resource definition, with the conversion from and to v1beta1, which is stored.

import type { KindContext } from '../../kind/context.ts';
import { resource } from '../../kind/resource.ts';
import type { ResourceSlice } from './resourceslice.ts';
import { resourceSliceTable } from './resourceslice-table.ts';
import { ResourceSliceV1alpha3 } from './resourceslice-v1alpha3.ts';
import { sliceFromV1alpha3, sliceToV1alpha3, sliceToV1beta2 } from './slice-conversion.ts';
import { selectableSliceFieldNames, selectableSliceFields, sliceStrategy } from './slice-strategy.ts';

export const resourceslicesV1alpha3 = (context: KindContext) =>
  resource<ResourceSliceV1alpha3>({
    group: 'resource',
    version: 'v1alpha3',
    kind: 'ResourceSlice',
    plural: 'resourceslices',
    namespaced: false,
    schema: ResourceSliceV1alpha3,
    table: resourceSliceTable,
    selectableFieldNames: selectableSliceFieldNames,
    selectableFields: selectableSliceFields,
    strategy: sliceStrategy(context, ResourceSliceV1alpha3, ({ spec }) =>
      sliceToV1beta2(sliceFromV1alpha3(spec)),
    ),
    conversion: {
      storedVersion: { group: 'resource', version: 'v1beta1' },
      fromStored(stored) {
        const slice = stored as ResourceSlice;
        return { ...slice, spec: sliceToV1alpha3(slice.spec) };
      },
      toStored: (object) => ({ ...object, spec: sliceFromV1alpha3(object.spec) }),
    },
  });
