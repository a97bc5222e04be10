import { list } from '../../schema/collections.ts';
import { int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { protocol } from './protocol.ts';

export const PortStatus = struct('core/v1.PortStatus', {
  port: field(1, int32, { required: true }),
  protocol: field(2, protocol, { required: true }),
  error: field(3, optional(string)),
});
export type PortStatus = Infer<typeof PortStatus>;

export const LoadBalancerIngress = struct('core/v1.LoadBalancerIngress', {
  ip: field(1, string),
  hostname: field(2, string),
  ipMode: field(3, optional(named('core/v1.LoadBalancerIPMode', oneOf('VIP', 'Proxy')))),
  ports: field(4, list(PortStatus, { type: 'atomic' })),
});
export type LoadBalancerIngress = Infer<typeof LoadBalancerIngress>;

export const LoadBalancerStatus = struct('core/v1.LoadBalancerStatus', {
  ingress: field(1, list(LoadBalancerIngress, { type: 'atomic' })),
});
export type LoadBalancerStatus = Infer<typeof LoadBalancerStatus>;
