import type { KindContext } from '../../kind/context.ts';
import { addressRules } from '../../kind/meta/address-rules.ts';
import { kind } from '../../kind/meta/kind.ts';
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import {
  finalizersNameTheirOwner,
  validateMetadata,
  validateMetadataChange,
} from '../../kind/meta/validation.ts';
import { isSameSpec } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { list } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { protocol } from '../core/protocol.ts';
import { cidrsOf, validateNetworkPolicy } from './networkpolicy-validation.ts';

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

export const NetworkPolicyIngressRule = struct(
  'networking/v1.NetworkPolicyIngressRule',
  {
    ports: field(1, list(NetworkPolicyPort, { type: 'atomic' }), { doc: 'On which ports; none means all.' }),
    from: field(2, list(NetworkPolicyPeer, { type: 'atomic' }), { doc: 'From whom; none means anybody.' }),
  },
  { doc: 'Traffic that is let in.' },
);
export type NetworkPolicyIngressRule = Infer<typeof NetworkPolicyIngressRule>;

export const NetworkPolicyEgressRule = struct(
  'networking/v1.NetworkPolicyEgressRule',
  {
    ports: field(1, list(NetworkPolicyPort, { type: 'atomic' }), { doc: 'To which ports; none means all.' }),
    to: field(2, list(NetworkPolicyPeer, { type: 'atomic' }), { doc: 'To whom; none means anybody.' }),
  },
  { doc: 'Traffic that is let out.' },
);
export type NetworkPolicyEgressRule = Infer<typeof NetworkPolicyEgressRule>;

export const NetworkPolicySpec = struct(
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
      list(named('networking/v1.PolicyType', oneOf('Ingress', 'Egress')), { type: 'atomic' }),
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
export type NetworkPolicySpec = Infer<typeof NetworkPolicySpec>;

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

export const networkpolicies = (context: KindContext) => {
  const { dialect } = context;
  const addresses = addressRules(context);
  const warnings = (policy: NetworkPolicy) =>
    cidrsOf(policy).flatMap(({ cidr, path }) => addresses.cidrWarnings(cidr, path));
  return resource<NetworkPolicy>({
    group: 'networking',
    version: 'v1',
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    shortNames: ['netpol'],
    schema: NetworkPolicy,
    strategy: {
      validateName: nameIsSubdomain,
      allowUnconditionalUpdate: true,
      prepareForCreate({ metadata }) {
        metadata.generation = 1;
      },
      validate: (policy) => [
        ...finalizersNameTheirOwner(policy.metadata, dialect),
        ...validateNetworkPolicy(policy, undefined, addresses),
      ],
      warningsOnCreate: warnings,
      prepareForUpdate(policy, old) {
        if (!isSameSpec(NetworkPolicy, policy, old) || saysNothing(policy)) {
          policy.metadata.generation = (old.metadata.generation ?? 0) + 1;
        }
      },
      // The reference looks at it as a whole, and then again at what may change.
      validateUpdate: (policy, old) => [
        ...validateMetadata(policy.metadata, true, nameIsSubdomain),
        ...finalizersNameTheirOwner(policy.metadata, dialect),
        ...validateNetworkPolicy(policy, old, addresses),
        ...validateMetadataChange(policy.metadata, old.metadata),
        ...finalizersNameTheirOwner(policy.metadata, dialect),
        ...validateNetworkPolicy(policy, old, addresses),
      ],
      warningsOnUpdate: warnings,
    },
  });
};

/** What is sent empty is stored as nothing at all, and so it always is a change. */
function saysNothing({ spec }: NetworkPolicy): boolean {
  const { ingress, egress, policyTypes, podSelector } = spec;
  const labels = podSelector.matchLabels && Object.keys(podSelector.matchLabels);
  return [ingress, egress, policyTypes, labels].some((said) => said?.length === 0);
}
