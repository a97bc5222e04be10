// Service: schema.
import { kind } from '../../kind/meta/kind.ts';
import { field, type Infer } from '../../schema/struct.ts';
import { setServiceDefaults } from './service-defaults.ts';
import { ServiceSpec, ServiceStatus } from './service-spec.ts';

export const Service = kind(
  'core/v1.Service',
  {
    spec: field(2, ServiceSpec, { doc: 'The specification of the service.' }),
    status: field(3, ServiceStatus, { doc: 'The most recently observed status of the service.' }),
  },
  {
    doc: 'A stable virtual IP and DNS name for a set of pods.',
    defaults: (service) => setServiceDefaults(service),
  },
);
export type Service = Infer<typeof Service>;
