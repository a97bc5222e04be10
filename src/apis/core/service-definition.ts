// Service: the resource definition, which joins its schema, columns, strategy and subresources.

import type { KindContext } from '../../kind/context.ts';
import { resource } from '../../kind/resource.ts';
import { serviceConnections } from './connections.ts';
import { Service } from './service.ts';
import { serviceStatusSubresource, serviceStrategy } from './service-strategy.ts';
import { serviceTable } from './service-table.ts';

export const services = (context: KindContext) =>
  resource<Service>({
    group: '',
    version: 'v1',
    kind: 'Service',
    plural: 'services',
    shortNames: ['svc'],
    categories: ['all'],
    // The prefix of upstream's etcd keys, beside `services/endpoints`.
    storagePrefix: 'services/specs',
    schema: Service,
    table: serviceTable,
    selectableFieldNames: ['spec.clusterIP', 'spec.type'],
    selectableFields: ({ spec }) => ({
      'spec.clusterIP': spec.clusterIP ?? '',
      'spec.type': spec.type ?? '',
    }),
    strategy: serviceStrategy(context),
    subresources: { ...serviceConnections, status: serviceStatusSubresource(context) },
  });
