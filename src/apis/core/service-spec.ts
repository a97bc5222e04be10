// ServiceSpec and ServiceStatus: schemas.
import { Condition } from '../../kind/meta/condition.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
import { bool, documentedEnum, int32, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { LoadBalancerStatus } from './load-balancer-status.ts';
import { protocol } from './protocol.ts';

export const ServicePort = struct(
  'core/v1.ServicePort',
  {
    name: field(1, string, {
      doc: 'A name for it, which endpoints repeat. It can be left out where there is only one port.',
    }),
    protocol: field(2, protocol, { default: 'TCP', announced: true, doc: 'The transport protocol.' }),
    appProtocol: field(6, optional(string), {
      doc: 'A hint at the application protocol: a registered service name, or a name with a domain of its owner.',
    }),
    port: field(3, int32, { required: true, doc: 'The port that the service is reached on.' }),
    targetPort: field(4, intOrString, {
      doc: 'The port of the pods behind it: a number, or the name that a port has there. By default the same number.',
    }),
    nodePort: field(5, int32, {
      doc: 'The port on every node that leads here, for the types NodePort and LoadBalancer. One is given out where none is asked for.',
    }),
  },
  { doc: 'One port of a service.' },
);
export type ServicePort = Infer<typeof ServicePort>;

const ClientIPConfig = struct(
  'core/v1.ClientIPConfig',
  {
    timeoutSeconds: field(1, optional(int32), {
      doc: 'How long a client that is quiet is remembered, at most a day; by default three hours.',
    }),
  },
  { doc: 'How clients are told apart by their address.' },
);

const SessionAffinityConfig = struct(
  'core/v1.SessionAffinityConfig',
  { clientIP: field(1, optional(ClientIPConfig), { doc: 'For the affinity ClientIP.' }) },
  { doc: 'Details of session affinity.' },
);

export const ServiceSpec = struct(
  'core/v1.ServiceSpec',
  {
    ports: field(
      1,
      list(ServicePort, { type: 'map', keys: ['port', 'protocol'], patch: 'merge', patchKey: 'port' }),
      { doc: 'The ports it offers.' },
    ),
    selector: field(2, mapOf(string, { atomic: true }), {
      doc: 'The labels of the pods behind it. Without one, somebody else says where it leads.',
    }),
    clusterIP: field(3, string, {
      doc: 'The address inside the cluster. One is given out where none is asked for; None means that there is none. It stays.',
    }),
    clusterIPs: field(18, list(string, { type: 'atomic' }), {
      doc: 'The address of each family it has. The first is the same as clusterIP.',
    }),
    type: field(
      4,
      named('core/v1.ServiceType', documentedEnum('ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName')),
      {
        doc: 'Who reaches it: the cluster (ClusterIP), also through every node (NodePort), also through a load balancer (LoadBalancer); or it is another name for something elsewhere (ExternalName).',
      },
    ),
    externalIPs: field(5, list(string, { type: 'atomic' }), {
      doc: 'Further addresses that lead here, if nodes get traffic for them. Nobody but the user sees to that.',
    }),
    sessionAffinity: field(7, named('core/v1.ServiceAffinity', documentedEnum('ClientIP', 'None')), {
      doc: 'ClientIP sends a client to the same pod again; None does not care.',
    }),
    loadBalancerIP: field(8, string, {
      doc: 'Deprecated: the address a load balancer should have, where its maker cares.',
    }),
    loadBalancerSourceRanges: field(9, list(string, { type: 'atomic' }), {
      doc: 'The ranges of addresses that may use the load balancer, where its maker cares.',
    }),
    externalName: field(10, string, { doc: 'For the type ExternalName: the name it stands for.' }),
    externalTrafficPolicy: field(
      11,
      named('core/v1.ServiceExternalTrafficPolicy', documentedEnum('Cluster', 'Local')),
      {
        doc: 'Whether traffic from outside may go to any node (Cluster), or stays on the node it came to, which keeps the address of the client (Local).',
      },
    ),
    healthCheckNodePort: field(12, int32, {
      doc: 'The port on which nodes say whether they have endpoints of this service, for load balancers with the policy Local. One is given out where none is asked for.',
    }),
    publishNotReadyAddresses: field(13, bool, { doc: 'Pods are published before they are ready, too.' }),
    sessionAffinityConfig: field(14, optional(SessionAffinityConfig), {
      doc: 'Details of session affinity.',
    }),
    ipFamilies: field(
      19,
      list(named('core/v1.IPFamily', documentedEnum('IPv4', 'IPv6', '')), { type: 'atomic' }),
      {
        doc: 'The families of its addresses, in the order of clusterIPs. The first stays.',
      },
    ),
    ipFamilyPolicy: field(
      17,
      optional(
        named('core/v1.IPFamilyPolicy', documentedEnum('SingleStack', 'PreferDualStack', 'RequireDualStack')),
      ),
      {
        doc: 'Whether it has an address of one family, of both if the cluster has both, or of both in any case.',
      },
    ),
    allocateLoadBalancerNodePorts: field(20, optional(bool), {
      doc: 'Whether a LoadBalancer gets node ports; true by default.',
    }),
    loadBalancerClass: field(21, optional(string), {
      doc: 'Which maker of load balancers is meant; without one, that of the cluster. It stays as long as the type does.',
    }),
    internalTrafficPolicy: field(
      22,
      optional(named('core/v1.ServiceInternalTrafficPolicy', documentedEnum('Cluster', 'Local'))),
      { doc: 'Whether traffic from pods may go to any node (Cluster) or stays on its own (Local).' },
    ),
    trafficDistribution: field(23, optional(string), {
      doc: 'Which endpoints are preferred, such as those close to the client.',
    }),
  },
  { doc: 'What a service offers, and to whom.' },
);
export type ServiceSpec = Infer<typeof ServiceSpec>;

export const ServiceStatus = struct(
  'core/v1.ServiceStatus',
  {
    loadBalancer: field(1, LoadBalancerStatus, { doc: 'Where the load balancer is, if it has one.' }),
    conditions: field(2, list(Condition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }), {
      doc: 'What else is known of its state.',
    }),
  },
  { doc: 'What has become of a service.' },
);
export type ServiceStatus = Infer<typeof ServiceStatus>;

/** The part of a Service that defaults and predicates read. */
export interface ServiceParts {
  spec: ServiceSpec;
  status: ServiceStatus;
}
