// LoadBalancerStatus: schema.
import { list } from '../../schema/collections.ts';
import { int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { protocol } from './protocol.ts';

const PortStatus = struct(
  'core/v1.PortStatus',
  {
    port: field(1, int32, { required: true, doc: 'The number of the port.' }),
    protocol: field(2, protocol, { required: true, doc: 'The protocol of the port.' }),
    error: field(3, optional(string), { doc: 'What is wrong with it, in one word for machines.' }),
  },
  { doc: 'How one port of a load balancer is doing.' },
);

const LoadBalancerIngress = struct(
  'core/v1.LoadBalancerIngress',
  {
    ip: field(1, string, { doc: 'Its address, where it is known by one.' }),
    hostname: field(2, string, { doc: 'Its name, where it is known by one.' }),
    ipMode: field(3, optional(named('core/v1.LoadBalancerIPMode', oneOf('VIP', 'Proxy'))), {
      doc: 'Whether traffic keeps the address of the load balancer as its destination (VIP) or comes to the node or pod (Proxy).',
    }),
    ports: field(4, list(PortStatus, { type: 'atomic' }), { doc: 'How its ports are doing.' }),
  },
  { doc: 'One way into a load balancer.' },
);

export const LoadBalancerStatus = struct(
  'core/v1.LoadBalancerStatus',
  {
    ingress: field(1, list(LoadBalancerIngress, { type: 'atomic' }), {
      doc: 'The ways into the load balancer.',
    }),
  },
  { doc: 'Where a load balancer is.' },
);
export type LoadBalancerStatus = Infer<typeof LoadBalancerStatus>;
