// LoadBalancerStatus: schema.
import { list } from '../../schema/collections.ts';
import { int32, named, openEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { protocol } from './protocol.ts';

const PortStatus = struct(
  'core/v1.PortStatus',
  {
    port: field(1, int32, { required: true, doc: 'The port number.' }),
    protocol: field(2, protocol, { required: true, doc: 'The protocol of the port.' }),
    error: field(3, optional(string), {
      doc: 'A machine-readable error of the port (CamelCase, or domain-prefixed).',
    }),
  },
  { doc: 'The status of a port of a load balancer.' },
);

const LoadBalancerIngress = struct(
  'core/v1.LoadBalancerIngress',
  {
    ip: field(1, string, { doc: 'The IP address, for load balancers that are IP based.' }),
    hostname: field(2, string, { doc: 'The hostname, for load balancers that are DNS based.' }),
    ipMode: field(3, optional(named('core/v1.LoadBalancerIPMode', openEnum('VIP', 'Proxy'))), {
      doc: "How traffic is delivered to the node: with the load balancer's IP as destination (VIP), or with the IP of the node or pod (Proxy).",
    }),
    ports: field(4, list(PortStatus, { type: 'atomic' }), {
      doc: 'The status of the ports of the load balancer.',
    }),
  },
  { doc: 'An ingress point of a load balancer.' },
);

export const LoadBalancerStatus = struct(
  'core/v1.LoadBalancerStatus',
  {
    ingress: field(1, list(LoadBalancerIngress, { type: 'atomic' }), {
      doc: 'The ingress points of the load balancer.',
    }),
  },
  { doc: 'The status of a load balancer.' },
);
export type LoadBalancerStatus = Infer<typeof LoadBalancerStatus>;
