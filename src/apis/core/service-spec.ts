// ServiceSpec and ServiceStatus: schemas.
import { Condition } from '../../kind/meta/condition.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
import { bool, int32, named, publishedEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { LoadBalancerStatus } from './load-balancer-status.ts';
import { protocol } from './protocol.ts';

export const ServicePort = struct(
  'core/v1.ServicePort',
  {
    name: field(1, string, {
      doc: 'The name of the port, a DNS label. Optional if there is only one port.',
    }),
    protocol: field(2, protocol, {
      default: 'TCP',
      isDefaultPublished: true,
      doc: 'The transport protocol.',
    }),
    appProtocol: field(6, optional(string), {
      doc: 'The application protocol: an IANA service name, or a domain-prefixed name.',
    }),
    port: field(3, int32, { required: true, doc: 'The port that the service exposes.' }),
    targetPort: field(4, intOrString, {
      doc: 'The number or name of the port on the pods. Defaults to `port`.',
    }),
    nodePort: field(5, int32, {
      doc: 'The port on every node, for types NodePort and LoadBalancer. Allocated if absent.',
    }),
  },
  { doc: 'A port of a service.' },
);
export type ServicePort = Infer<typeof ServicePort>;

const ClientIPConfig = struct(
  'core/v1.ClientIPConfig',
  {
    timeoutSeconds: field(1, optional(int32), {
      doc: 'The session timeout, at most 86400 (one day). Defaults to 10800 (three hours).',
    }),
  },
  { doc: 'The configuration of session affinity by client IP.' },
);

const SessionAffinityConfig = struct(
  'core/v1.SessionAffinityConfig',
  {
    clientIP: field(1, optional(ClientIPConfig), { doc: 'The configuration for session affinity ClientIP.' }),
  },
  { doc: 'The configuration of session affinity.' },
);

export const ServiceSpec = struct(
  'core/v1.ServiceSpec',
  {
    ports: field(
      1,
      list(ServicePort, { type: 'map', keys: ['port', 'protocol'], patch: 'merge', patchKey: 'port' }),
      { doc: 'The ports that the service exposes.' },
    ),
    selector: field(2, mapOf(string, { atomic: true }), {
      doc: 'Selects the pods of the service by label. If absent, the endpoints are managed manually or by another controller.',
    }),
    clusterIP: field(3, string, {
      doc: 'The virtual IP address of the service. Allocated if absent; None makes the service headless. Immutable.',
    }),
    clusterIPs: field(18, list(string, { type: 'atomic' }), {
      doc: 'The virtual IP addresses of the service, one per IP family. The first must equal clusterIP.',
    }),
    type: field(
      4,
      named('core/v1.ServiceType', publishedEnum('ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName')),
      {
        doc: 'How the service is exposed: ClusterIP (in the cluster), NodePort (also on every node), LoadBalancer (also through a load balancer), or ExternalName (a DNS alias).',
      },
    ),
    externalIPs: field(5, list(string, { type: 'atomic' }), {
      doc: 'IP addresses for which nodes accept traffic for this service. They are not managed by the cluster.',
    }),
    sessionAffinity: field(7, named('core/v1.ServiceAffinity', publishedEnum('ClientIP', 'None')), {
      doc: 'ClientIP routes connections of a client to the same pod. Defaults to None.',
    }),
    loadBalancerIP: field(8, string, {
      doc: 'Deprecated: the requested IP address of the load balancer, if the provider supports it.',
    }),
    loadBalancerSourceRanges: field(9, list(string, { type: 'atomic' }), {
      doc: 'Client IP ranges that may use the load balancer, if the provider supports it.',
    }),
    externalName: field(10, string, { doc: 'The DNS name that a service of type ExternalName resolves to.' }),
    externalTrafficPolicy: field(
      11,
      named('core/v1.ServiceExternalTrafficPolicy', publishedEnum('Cluster', 'Local')),
      {
        doc: 'Whether external traffic is routed to endpoints of all nodes (Cluster) or only of the receiving node, which preserves the client IP (Local).',
      },
    ),
    healthCheckNodePort: field(12, int32, {
      doc: 'The node port of the health check, for type LoadBalancer with externalTrafficPolicy Local. Allocated if absent.',
    }),
    publishNotReadyAddresses: field(13, bool, {
      doc: 'Publishes the addresses of pods before they are ready.',
    }),
    sessionAffinityConfig: field(14, optional(SessionAffinityConfig), {
      doc: 'The configuration of session affinity.',
    }),
    ipFamilies: field(
      19,
      list(named('core/v1.IPFamily', publishedEnum('IPv4', 'IPv6', '')), { type: 'atomic' }),
      {
        doc: 'The IP families of the service, in the order of clusterIPs. The first is immutable.',
      },
    ),
    ipFamilyPolicy: field(
      17,
      optional(
        named('core/v1.IPFamilyPolicy', publishedEnum('SingleStack', 'PreferDualStack', 'RequireDualStack')),
      ),
      {
        doc: 'SingleStack, PreferDualStack or RequireDualStack.',
      },
    ),
    allocateLoadBalancerNodePorts: field(20, optional(bool), {
      doc: 'Whether node ports are allocated for type LoadBalancer. Defaults to true.',
    }),
    loadBalancerClass: field(21, optional(string), {
      doc: "The load balancer implementation. Defaults to the cluster's. Immutable while the type is LoadBalancer.",
    }),
    internalTrafficPolicy: field(
      22,
      optional(named('core/v1.ServiceInternalTrafficPolicy', publishedEnum('Cluster', 'Local'))),
      {
        doc: "Whether traffic from pods is routed to endpoints of all nodes (Cluster) or only of the pod's own node (Local).",
      },
    ),
    trafficDistribution: field(23, optional(string), {
      doc: 'A preference for endpoints, such as PreferClose.',
    }),
  },
  { doc: 'The specification of a service.' },
);
export type ServiceSpec = Infer<typeof ServiceSpec>;

export const ServiceStatus = struct(
  'core/v1.ServiceStatus',
  {
    loadBalancer: field(1, LoadBalancerStatus, { doc: 'The status of the load balancer, if there is one.' }),
    conditions: field(2, list(Condition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }), {
      doc: 'The observed conditions of the service.',
    }),
  },
  { doc: 'The current status of a service.' },
);
export type ServiceStatus = Infer<typeof ServiceStatus>;

/** The part of a Service that defaults and predicates read. */
export interface ServiceParts {
  spec: ServiceSpec;
  status: ServiceStatus;
}
