import { list } from '../../schema/collections.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { Condition } from '../meta/condition.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { alsoIn } from '../versions.ts';
import { v1beta1 } from './versions.ts';

export const ServiceCIDRSpec = struct('networking/v1.ServiceCIDRSpec', {
  cidrs: field(1, list(string, { type: 'atomic' })),
});
export type ServiceCIDRSpec = Infer<typeof ServiceCIDRSpec>;

export const ServiceCIDRStatus = struct('networking/v1.ServiceCIDRStatus', {
  conditions: field(1, list(Condition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' })),
});
export type ServiceCIDRStatus = Infer<typeof ServiceCIDRStatus>;

export const ServiceCIDR = kind(
  'networking/v1.ServiceCIDR',
  {
    spec: field(2, ServiceCIDRSpec),
    status: field(3, ServiceCIDRStatus),
  },
  { doc: '' },
);
export type ServiceCIDR = Infer<typeof ServiceCIDR>;

export const servicecidrs = (context: KindContext) =>
  resource<ServiceCIDR>({
    group: 'networking',
    version: 'v1',
    kind: 'ServiceCIDR',
    plural: 'servicecidrs',
    namespaced: false,
    schema: ServiceCIDR,
    strategy: plainStrategy(context, ServiceCIDR),
    subresources: { status: statusOf(context, ServiceCIDR) },
  });

export const servicecidrsV1beta1 = (context: KindContext) =>
  alsoIn('v1beta1', servicecidrs(context), v1beta1.of(ServiceCIDR));
