// Ingress: printer columns of its Table.
// Dialect: the names of annotations in Kubernetes' domain, or in Orch's own.

import type { Dialect } from '../../dialect/dialect.ts';
import { age, joinAtMost, none } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { Ingress } from './ingress.ts';

export const ingressTable = ({ annotations }: Dialect): TableLayout<Ingress> => ({
  columns: [
    nameColumn,
    column('Class', 'The IngressClass.'),
    column('Hosts', 'The hosts of the rules.'),
    column('Address', 'The addresses of the load balancer.'),
    column('Ports', 'The ports of the Ingress.'),
    ageColumn,
  ],
  cells(ingress, ages) {
    const { spec, status, metadata } = ingress;
    const addresses = (status.loadBalancer.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '');
    return [
      metadata.name ?? '',
      spec.ingressClassName ?? metadata.annotations?.[annotations.ingressClass] ?? none,
      hostsCell(ingress),
      addresses.filter(Boolean).join(','),
      (spec.tls ?? []).length > 0 ? '80, 443' : '80',
      age(ingress, ages),
    ];
  },
});

const maxShownHosts = 3;

function hostsCell({ spec }: Ingress): string {
  const hostNames = (spec.rules ?? []).map(({ host }) => host ?? '').filter(Boolean);
  return hostNames.length === 0 ? '*' : joinAtMost(hostNames, maxShownHosts, ',');
}
