import { list } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
import { int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { protocol } from '../core/protocol.ts';
import { kind } from '../meta/kind.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

export const NetworkPolicyPort = struct('networking/v1.NetworkPolicyPort', {
  protocol: field(1, optional(protocol)),
  port: field(2, optional(intOrString)),
  endPort: field(3, optional(int32)),
});
export type NetworkPolicyPort = Infer<typeof NetworkPolicyPort>;

export const IPBlock = struct('networking/v1.IPBlock', {
  cidr: field(1, string, { required: true }),
  except: field(2, list(string, { type: 'atomic' })),
});
export type IPBlock = Infer<typeof IPBlock>;

export const NetworkPolicyPeer = struct('networking/v1.NetworkPolicyPeer', {
  podSelector: field(1, optional(LabelSelector)),
  namespaceSelector: field(2, optional(LabelSelector)),
  ipBlock: field(3, optional(IPBlock)),
});
export type NetworkPolicyPeer = Infer<typeof NetworkPolicyPeer>;

export const NetworkPolicyIngressRule = struct('networking/v1.NetworkPolicyIngressRule', {
  ports: field(1, list(NetworkPolicyPort, { type: 'atomic' })),
  from: field(2, list(NetworkPolicyPeer, { type: 'atomic' })),
});
export type NetworkPolicyIngressRule = Infer<typeof NetworkPolicyIngressRule>;

export const NetworkPolicyEgressRule = struct('networking/v1.NetworkPolicyEgressRule', {
  ports: field(1, list(NetworkPolicyPort, { type: 'atomic' })),
  to: field(2, list(NetworkPolicyPeer, { type: 'atomic' })),
});
export type NetworkPolicyEgressRule = Infer<typeof NetworkPolicyEgressRule>;

export const NetworkPolicySpec = struct('networking/v1.NetworkPolicySpec', {
  podSelector: field(1, LabelSelector, { required: true }),
  ingress: field(2, list(NetworkPolicyIngressRule, { type: 'atomic' })),
  egress: field(3, list(NetworkPolicyEgressRule, { type: 'atomic' })),
  policyTypes: field(
    4,
    list(named('networking/v1.PolicyType', oneOf('Ingress', 'Egress')), { type: 'atomic' }),
  ),
});
export type NetworkPolicySpec = Infer<typeof NetworkPolicySpec>;

export const NetworkPolicy = kind(
  'networking/v1.NetworkPolicy',
  {
    spec: field(2, NetworkPolicySpec),
  },
  { doc: '' },
);
export type NetworkPolicy = Infer<typeof NetworkPolicy>;

export const networkpolicies = (context: KindContext) =>
  resource<NetworkPolicy>({
    group: 'networking',
    version: 'v1',
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    shortNames: ['netpol'],
    schema: NetworkPolicy,
    strategy: plainStrategy(context, NetworkPolicy),
  });
