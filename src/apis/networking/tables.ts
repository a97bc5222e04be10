import type { Dialect } from '../../dialect/dialect.ts';
import { age, firstFew, none } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { selectorCell } from '../apps/tables.ts';
import type { Ingress } from './ingress.ts';
import type { IngressClass } from './ingressclass.ts';
import type { IPAddress } from './ipaddress.ts';
import type { NetworkPolicy } from './networkpolicy.ts';
import type { ServiceCIDR } from './servicecidr.ts';

export const ingressTable = ({ annotations }: Dialect): TableLayout<Ingress> => ({
  columns: [
    nameColumn,
    column('Class', 'Who serves it.'),
    column('Hosts', 'The hosts it answers for.'),
    column('Address', 'Where it is reached.'),
    column('Ports', 'The ports it is reached at.'),
    ageColumn,
  ],
  cells(ingress, now) {
    const { spec, status, metadata } = ingress;
    const addresses = (status.loadBalancer.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '');
    return [
      metadata.name ?? '',
      spec.ingressClassName ?? metadata.annotations?.[annotations.ingressClass] ?? none,
      hosts(ingress),
      addresses.filter(Boolean).join(','),
      (spec.tls ?? []).length > 0 ? '80, 443' : '80',
      age(ingress, now),
    ];
  },
});

function hosts({ spec }: Ingress): string {
  const named = (spec.rules ?? []).map(({ host }) => host ?? '').filter(Boolean);
  return named.length === 0 ? '*' : firstFew(named, 3, ',');
}

export const ingressClassTable: TableLayout<IngressClass> = {
  columns: [
    nameColumn,
    column('Controller', 'Who serves it.'),
    column('Parameters', 'What that is told.'),
    ageColumn,
  ],
  cells(object, now) {
    const { controller = '', parameters } = object.spec;
    return [
      object.metadata.name ?? '',
      controller,
      parameters ? reference(parameters) : none,
      age(object, now),
    ];
  },
};

function reference({ kind, apiGroup, name }: { kind: string; apiGroup?: string; name: string }): string {
  return apiGroup ? `${kind}.${apiGroup}/${name}` : `${kind}/${name}`;
}

export const networkPolicyTable: TableLayout<NetworkPolicy> = {
  columns: [nameColumn, column('Pod-Selector', 'The labels of the pods it is for.'), ageColumn],
  cells: (policy, now) => [
    policy.metadata.name ?? '',
    selectorCell(policy.spec.podSelector),
    age(policy, now),
  ],
};

export const ipAddressTable: TableLayout<IPAddress> = {
  columns: [nameColumn, column('ParentRef', 'What has the address.')],
  cells({ metadata, spec }) {
    const { group = '', resource, namespace, name } = spec.parentRef ?? { resource: '', name: '' };
    const kind = group ? `${resource}.${group}` : resource;
    return [metadata.name ?? '', [kind, namespace, name].filter(Boolean).join('/') || none];
  },
};

export const serviceCidrTable: TableLayout<ServiceCIDR> = {
  columns: [nameColumn, column('CIDRs', 'The ranges.'), ageColumn],
  cells: (object, now) => [object.metadata.name ?? '', (object.spec.cidrs ?? []).join(','), age(object, now)],
};
