// Service: printer columns.

import { age, labelText, none } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn, wide } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { Service } from './service.ts';

export const serviceTable: TableLayout<Service> = {
  columns: [
    nameColumn,
    column('Type', 'The type of the service.'),
    column('Cluster-IP', 'The virtual IP address of the service.'),
    column('External-IP', 'The external IP addresses of the service.'),
    column('Port(s)', 'The ports of the service.'),
    ageColumn,
    wide('Selector', 'The label selector of the pods.'),
  ],
  cells(service, ages) {
    const { spec, metadata } = service;
    const ports = (spec.ports ?? []).map(({ port, nodePort, protocol = '' }) =>
      nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
    );
    return [
      metadata.name ?? '',
      spec.type ?? '',
      spec.clusterIPs?.[0] || spec.clusterIP || none,
      externalAddress(service),
      ports.join(',') || none,
      age(service, ages),
      labelText(spec.selector),
    ];
  },
};

function externalAddress({ spec, status }: Service): string {
  const externalIPs = spec.externalIPs ?? [];
  if (spec.type === 'ExternalName') return spec.externalName ?? '';
  if (spec.type !== 'LoadBalancer') return externalIPs.join(',') || none;
  const ingressAddresses = (status.loadBalancer.ingress ?? []).map(
    ({ ip, hostname }) => ip || hostname || '',
  );
  const loadBalancerAddresses = [...new Set(ingressAddresses.filter(Boolean))].sort();
  return [...loadBalancerAddresses, ...externalIPs].join(',') || '<pending>';
}
