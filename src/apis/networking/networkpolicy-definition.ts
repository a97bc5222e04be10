// NetworkPolicy: the resource definition, with the strategy that runs on writes.

import type { KindContext } from '../../kind/context.ts';
import { addressRules } from '../../kind/meta/address-rules.ts';
import {
  validateFinalizersQualified,
  validateMetadata,
  validateMetadataChange,
} from '../../kind/meta/validation.ts';
import { isSameSpec } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { NetworkPolicy } from './networkpolicy.ts';
import { networkPolicyTable } from './networkpolicy-table.ts';
import { collectCidrs, validateNetworkPolicy } from './networkpolicy-validation.ts';

export const networkpolicies = (context: KindContext) => {
  const { dialect } = context;
  const rules = addressRules(context);
  const warnings = (policy: NetworkPolicy) =>
    collectCidrs(policy).flatMap(({ cidr, path }) => rules.cidrWarnings(cidr, path));
  return resource<NetworkPolicy>({
    group: 'networking',
    version: 'v1',
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    shortNames: ['netpol'],
    schema: NetworkPolicy,
    table: networkPolicyTable,
    strategy: {
      validateName: nameIsSubdomain,
      allowUnconditionalUpdate: true,
      prepareForCreate({ metadata }) {
        metadata.generation = 1;
      },
      validate: (policy) => [
        ...validateFinalizersQualified(policy.metadata, dialect),
        ...validateNetworkPolicy(policy, undefined, rules),
      ],
      warningsOnCreate: warnings,
      prepareForUpdate(policy, old) {
        if (!isSameSpec(NetworkPolicy, policy, old) || hasEmptyCollection(policy)) {
          policy.metadata.generation = (old.metadata.generation ?? 0) + 1;
        }
      },
      // kube-apiserver runs create validation before update validation, so errors appear twice.
      validateUpdate: (policy, old) => [
        ...validateMetadata(policy.metadata, { namespaced: true, nameRule: nameIsSubdomain }),
        ...validateFinalizersQualified(policy.metadata, dialect),
        ...validateNetworkPolicy(policy, old, rules),
        ...validateMetadataChange(policy.metadata, old.metadata),
        ...validateFinalizersQualified(policy.metadata, dialect),
        ...validateNetworkPolicy(policy, old, rules),
      ],
      warningsOnUpdate: warnings,
    },
  });
};

/** Empty lists and maps are stored as absent, so an update that sends one always increments the generation. */
function hasEmptyCollection({ spec }: NetworkPolicy): boolean {
  const { ingress, egress, policyTypes, podSelector } = spec;
  const labels = podSelector.matchLabels && Object.keys(podSelector.matchLabels);
  return [ingress, egress, policyTypes, labels].some((collection) => collection?.length === 0);
}
