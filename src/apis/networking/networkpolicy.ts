// NetworkPolicy: schema.

import { kind } from '../../kind/meta/kind.ts';
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
import { int32, named, publishedEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { protocol } from '../core/protocol.ts';

export const NetworkPolicyPort = struct(
  'networking/v1.NetworkPolicyPort',
  {
    protocol: field(1, optional(protocol), { doc: 'The transport protocol. Defaults to TCP.' }),
    port: field(2, optional(intOrString), {
      doc: 'The number or name of a port of the pods. Absent: all ports.',
    }),
    endPort: field(3, optional(int32), { doc: 'The last port of the range that starts at `port`.' }),
  },
  {
    doc: 'A port or range of ports to allow traffic on.',
    defaults(port) {
      port.protocol ??= 'TCP';
    },
  },
);
export type NetworkPolicyPort = Infer<typeof NetworkPolicyPort>;

export const IPBlock = struct(
  'networking/v1.IPBlock',
  {
    cidr: field(1, string, { required: true, doc: 'The IP range in CIDR notation.' }),
    except: field(2, list(string, { type: 'atomic' }), { doc: 'Ranges within `cidr` that are excluded.' }),
  },
  { doc: 'An IP range with exceptions.' },
);
export type IPBlock = Infer<typeof IPBlock>;

export const NetworkPolicyPeer = struct(
  'networking/v1.NetworkPolicyPeer',
  {
    podSelector: field(1, optional(LabelSelector), {
      doc: "Selects pods in the namespaces that namespaceSelector selects, or in the policy's namespace if it is absent.",
    }),
    namespaceSelector: field(2, optional(LabelSelector), {
      doc: 'Selects namespaces: all pods in them, or those that podSelector selects.',
    }),
    ipBlock: field(3, optional(IPBlock), { doc: 'An IP range. Mutually exclusive with the selectors.' }),
  },
  { doc: 'A peer of allowed traffic: pods or an IP range.' },
);
export type NetworkPolicyPeer = Infer<typeof NetworkPolicyPeer>;

const NetworkPolicyIngressRule = struct(
  'networking/v1.NetworkPolicyIngressRule',
  {
    ports: field(1, list(NetworkPolicyPort, { type: 'atomic' }), {
      doc: 'The allowed destination ports. If empty, all ports.',
    }),
    from: field(2, list(NetworkPolicyPeer, { type: 'atomic' }), {
      doc: 'The allowed sources. If empty, all sources.',
    }),
  },
  { doc: 'Allowed incoming traffic.' },
);

const NetworkPolicyEgressRule = struct(
  'networking/v1.NetworkPolicyEgressRule',
  {
    ports: field(1, list(NetworkPolicyPort, { type: 'atomic' }), {
      doc: 'The allowed destination ports. If empty, all ports.',
    }),
    to: field(2, list(NetworkPolicyPeer, { type: 'atomic' }), {
      doc: 'The allowed destinations. If empty, all destinations.',
    }),
  },
  { doc: 'Allowed outgoing traffic.' },
);

const NetworkPolicySpec = struct(
  'networking/v1.NetworkPolicySpec',
  {
    podSelector: field(1, LabelSelector, {
      required: true,
      doc: 'Selects the pods that the policy applies to. Empty: all pods in the namespace.',
    }),
    ingress: field(2, list(NetworkPolicyIngressRule, { type: 'atomic' }), {
      doc: 'Allowed incoming traffic. If empty, the policy allows none.',
    }),
    egress: field(3, list(NetworkPolicyEgressRule, { type: 'atomic' }), {
      doc: 'Allowed outgoing traffic. If empty and policyTypes contains Egress, the policy allows none.',
    }),
    policyTypes: field(
      4,
      list(named('networking/v1.PolicyType', publishedEnum('Ingress', 'Egress')), { type: 'atomic' }),
      {
        doc: 'Ingress, Egress or both. Defaults to Ingress, and Egress if there are egress rules.',
      },
    ),
  },
  {
    doc: 'The specification of a NetworkPolicy.',
    defaults(spec) {
      if (spec.policyTypes?.length) return;
      spec.policyTypes = spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'];
    },
  },
);

export const NetworkPolicy = kind(
  'networking/v1.NetworkPolicy',
  {
    spec: field(2, NetworkPolicySpec, { doc: 'The specification of the NetworkPolicy.' }),
  },
  {
    doc: 'Restricts the network traffic of pods. Pods that no policy selects accept all traffic.',
  },
);
export type NetworkPolicy = Infer<typeof NetworkPolicy>;
