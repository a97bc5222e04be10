import { list, mapOf } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
import { bool, int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { Condition } from '../meta/condition.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { LoadBalancerStatus } from './load-balancer-status.ts';
import { protocol } from './protocol.ts';

export const ServicePort = struct('core/v1.ServicePort', {
  name: field(1, string),
  protocol: field(2, protocol, { default: 'TCP', announced: true }),
  appProtocol: field(6, optional(string)),
  port: field(3, int32, { required: true }),
  targetPort: field(4, intOrString),
  nodePort: field(5, int32),
});
export type ServicePort = Infer<typeof ServicePort>;

export const ClientIPConfig = struct('core/v1.ClientIPConfig', {
  timeoutSeconds: field(1, optional(int32)),
});
export type ClientIPConfig = Infer<typeof ClientIPConfig>;

export const SessionAffinityConfig = struct('core/v1.SessionAffinityConfig', {
  clientIP: field(1, optional(ClientIPConfig)),
});
export type SessionAffinityConfig = Infer<typeof SessionAffinityConfig>;

export const ServiceSpec = struct('core/v1.ServiceSpec', {
  ports: field(
    1,
    list(ServicePort, { type: 'map', keys: ['port', 'protocol'], patch: 'merge', patchKey: 'port' }),
  ),
  selector: field(2, mapOf(string, { atomic: true })),
  clusterIP: field(3, string),
  clusterIPs: field(18, list(string, { type: 'atomic' })),
  type: field(
    4,
    named('core/v1.ServiceType', oneOf('ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName')),
  ),
  externalIPs: field(5, list(string, { type: 'atomic' })),
  sessionAffinity: field(7, named('core/v1.ServiceAffinity', oneOf('ClientIP', 'None'))),
  loadBalancerIP: field(8, string),
  loadBalancerSourceRanges: field(9, list(string, { type: 'atomic' })),
  externalName: field(10, string),
  externalTrafficPolicy: field(11, named('core/v1.ServiceExternalTrafficPolicy', oneOf('Cluster', 'Local'))),
  healthCheckNodePort: field(12, int32),
  publishNotReadyAddresses: field(13, bool),
  sessionAffinityConfig: field(14, optional(SessionAffinityConfig)),
  ipFamilies: field(19, list(named('core/v1.IPFamily', oneOf('IPv4', 'IPv6', '')), { type: 'atomic' })),
  ipFamilyPolicy: field(
    17,
    optional(named('core/v1.IPFamilyPolicy', oneOf('SingleStack', 'PreferDualStack', 'RequireDualStack'))),
  ),
  allocateLoadBalancerNodePorts: field(20, optional(bool)),
  loadBalancerClass: field(21, optional(string)),
  internalTrafficPolicy: field(
    22,
    optional(named('core/v1.ServiceInternalTrafficPolicy', oneOf('Cluster', 'Local'))),
  ),
  trafficDistribution: field(23, optional(string)),
});
export type ServiceSpec = Infer<typeof ServiceSpec>;

export const ServiceStatus = struct('core/v1.ServiceStatus', {
  loadBalancer: field(1, LoadBalancerStatus),
  conditions: field(2, list(Condition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' })),
});
export type ServiceStatus = Infer<typeof ServiceStatus>;

export const Service = kind(
  'core/v1.Service',
  {
    spec: field(2, ServiceSpec),
    status: field(3, ServiceStatus),
  },
  { doc: '' },
);
export type Service = Infer<typeof Service>;

export const services = (context: KindContext) =>
  resource<Service>({
    group: '',
    version: 'v1',
    kind: 'Service',
    plural: 'services',
    shortNames: ['svc'],
    categories: ['all'],
    storagePrefix: 'services/specs',
    schema: Service,
    strategy: plainStrategy(context, Service),
    subresources: { status: statusOf(context, Service) },
  });
