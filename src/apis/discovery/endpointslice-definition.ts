// EndpointSlice: the resource definition, which joins its schema, columns and strategy.

import type { KindContext } from '../../kind/context.ts';
import { resource } from '../../kind/resource.ts';
import { EndpointSlice } from './endpointslice.ts';
import { endpointSliceStrategy } from './endpointslice-strategy.ts';
import { endpointSliceTable } from './endpointslice-table.ts';

export const endpointslices = (context: KindContext) =>
  resource<EndpointSlice>({
    group: 'discovery',
    version: 'v1',
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    schema: EndpointSlice,
    table: endpointSliceTable,
    strategy: endpointSliceStrategy(context),
  });
