// Schema of NetworkPolicy.

import { kind } from '../../kind/meta/kind.ts';
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
import { documentedEnum, int32, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { protocol } from '../core/protocol.ts';

export const NetworkPolicyPort = struct(
  'networking/v1.NetworkPolicyPort',
  {
    protocol: field(1, optional(protocol), { doc: 'The transport protocol; TCP by default.' }),
    port: field(2, optional(intOrString), {
      doc: 'A number, or the name that a port has in the pods. Without one, every port.',
    }),
    endPort: field(3, optional(int32), { doc: 'The last of a range of ports that begins with port.' }),
  },
  {
    doc: 'Ports that traffic is let through on.',
    defaults(port) {
      port.protocol ??= 'TCP';
    },
  },
);
export type NetworkPolicyPort = Infer<typeof NetworkPolicyPort>;

export const IPBlock = struct(
  'networking/v1.IPBlock',
  {
    cidr: field(1, string, { required: true, doc: 'The range.' }),
    except: field(2, list(string, { type: 'atomic' }), { doc: 'Ranges inside of it that are not meant.' }),
  },
  { doc: 'A range of addresses.' },
);
export type IPBlock = Infer<typeof IPBlock>;

export const NetworkPolicyPeer = struct(
  'networking/v1.NetworkPolicyPeer',
  {
    podSelector: field(1, optional(LabelSelector), {
      doc: 'Pods, in the namespaces that namespaceSelector selects or else in that of the policy.',
    }),
    namespaceSelector: field(2, optional(LabelSelector), {
      doc: 'Namespaces, and all pods in them unless podSelector selects some.',
    }),
    ipBlock: field(3, optional(IPBlock), { doc: 'Addresses, and nothing else beside.' }),
  },
  { doc: 'Somebody to talk to: pods, or addresses.' },
);
export type NetworkPolicyPeer = Infer<typeof NetworkPolicyPeer>;

const NetworkPolicyIngressRule = struct(
  'networking/v1.NetworkPolicyIngressRule',
  {
    ports: field(1, list(NetworkPolicyPort, { type: 'atomic' }), { doc: 'On which ports; none means all.' }),
    from: field(2, list(NetworkPolicyPeer, { type: 'atomic' }), { doc: 'From whom; none means anybody.' }),
  },
  { doc: 'Traffic that is let in.' },
);

const NetworkPolicyEgressRule = struct(
  'networking/v1.NetworkPolicyEgressRule',
  {
    ports: field(1, list(NetworkPolicyPort, { type: 'atomic' }), { doc: 'To which ports; none means all.' }),
    to: field(2, list(NetworkPolicyPeer, { type: 'atomic' }), { doc: 'To whom; none means anybody.' }),
  },
  { doc: 'Traffic that is let out.' },
);

const NetworkPolicySpec = struct(
  'networking/v1.NetworkPolicySpec',
  {
    podSelector: field(1, LabelSelector, {
      required: true,
      doc: 'The pods it is about; an empty selector means all of the namespace.',
    }),
    ingress: field(2, list(NetworkPolicyIngressRule, { type: 'atomic' }), {
      doc: 'What is let in to them. None of it, if there are no rules.',
    }),
    egress: field(3, list(NetworkPolicyEgressRule, { type: 'atomic' }), {
      doc: 'What is let out from them.',
    }),
    policyTypes: field(
      4,
      list(named('networking/v1.PolicyType', documentedEnum('Ingress', 'Egress')), { type: 'atomic' }),
      {
        doc: 'Whether it is about what comes in, goes out, or both. By default in, and out if there are rules for it.',
      },
    ),
  },
  {
    doc: 'Which traffic is let through to and from which pods.',
    defaults(spec) {
      if (spec.policyTypes?.length) return;
      spec.policyTypes = spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'];
    },
  },
);

export const NetworkPolicy = kind(
  'networking/v1.NetworkPolicy',
  {
    spec: field(2, NetworkPolicySpec, { doc: 'Which traffic is let through.' }),
  },
  {
    doc: 'Says which traffic is let through to and from pods. Pods that no policy is about are open to all.',
  },
);
export type NetworkPolicy = Infer<typeof NetworkPolicy>;
