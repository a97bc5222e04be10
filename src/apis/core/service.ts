// Service: schema.
import { kind } from '../../kind/meta/kind.ts';
import { field, type Infer } from '../../schema/struct.ts';
import { setServiceDefaults } from './service-defaults.ts';
import { ServiceSpec, ServiceStatus } from './service-spec.ts';

export const Service = kind(
  'core/v1.Service',
  {
    spec: field(2, ServiceSpec, { doc: 'What it offers, and to whom.' }),
    status: field(3, ServiceStatus, { doc: 'What has become of it.' }),
  },
  {
    doc: 'A name and an address that stay, for pods that come and go.',
    defaults: (service) => setServiceDefaults(service),
  },
);
export type Service = Infer<typeof Service>;
