// EndpointSlice: printer columns of its Table (upstream: printers/internalversion printEndpointSlice).

import { age, joinAtMost, unset } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { EndpointSlice } from './endpointslice.ts';

/** Further ports and addresses are only counted. */
const maxShownItems = 3;

export const endpointSliceTable: TableLayout<EndpointSlice> = {
  columns: [
    nameColumn,
    column('AddressType', 'The type of the addresses.'),
    column('Ports', 'The ports of the endpoints.'),
    column('Endpoints', 'The addresses of the first few endpoints.'),
    ageColumn,
  ],
  cells(slice, ages) {
    // A port without number and name stands for all ports.
    const ports = (slice.ports ?? []).map(({ name, port }) => String(port ?? (name || '*')));
    const addresses = (slice.endpoints ?? []).flatMap((endpoint) => endpoint.addresses ?? []);
    return [
      slice.metadata.name ?? '',
      slice.addressType,
      joinAtMost(ports, maxShownItems, ',') || unset,
      joinAtMost(addresses, maxShownItems, ',') || unset,
      age(slice, ages),
    ];
  },
};
