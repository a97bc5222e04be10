// Printer columns of EndpointSlice.

import { age, joinAtMost, unset } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { EndpointSlice } from './endpointslice.ts';

const maxShown = 3;

export const endpointSliceTable: TableLayout<EndpointSlice> = {
  columns: [
    nameColumn,
    column('AddressType', 'The type of the addresses.'),
    column('Ports', 'The ports of the endpoints.'),
    column('Endpoints', 'The addresses of the first few endpoints.'),
    ageColumn,
  ],
  cells(slice, ages) {
    const ports = (slice.ports ?? []).map(({ name, port }) =>
      port !== undefined ? String(port) : name ? name : '*',
    );
    const addresses = (slice.endpoints ?? []).flatMap((endpoint) => endpoint.addresses ?? []);
    return [
      slice.metadata.name ?? '',
      slice.addressType,
      joinAtMost(ports, maxShown, ',') || unset,
      joinAtMost(addresses, maxShown, ',') || unset,
      age(slice, ages),
    ];
  },
};
