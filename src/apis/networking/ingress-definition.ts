// Ingress: the resource definition, with the strategy that runs on writes and the status subresource.
// Dialect: the names of annotations in Kubernetes' domain, or in Orch's own.

import type { KindContext } from '../../kind/context.ts';
import { addressRules } from '../../kind/meta/address-rules.ts';
import {
  validateFinalizersQualified,
  validateMetadata,
  validateMetadataChange,
} from '../../kind/meta/validation.ts';
import { plainStrategy, statusSubresource } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import {
  loadBalancerIngressWarnings,
  validateLoadBalancerIngress,
} from '../core/load-balancer-validation.ts';
import { Ingress } from './ingress.ts';
import { ingressTable } from './ingress-table.ts';
import { validateClassAnnotation, validateIngress } from './ingress-validation.ts';

export const ingresses = (context: KindContext) => {
  const { dialect } = context;
  const rules = addressRules(context);
  const status = statusSubresource(context, Ingress, (ingress, old) =>
    validateLoadBalancerIngress(ingress.status.loadBalancer, old.status.loadBalancer, rules),
  );
  return resource<Ingress>({
    group: 'networking',
    version: 'v1',
    kind: 'Ingress',
    plural: 'ingresses',
    shortNames: ['ing'],
    // The prefix of upstream's etcd keys.
    storagePrefix: 'ingress',
    schema: Ingress,
    table: ingressTable(context.dialect),
    strategy: {
      ...plainStrategy(context, Ingress),
      validate: (ingress) => [
        ...validateFinalizersQualified(ingress.metadata, dialect),
        ...validateIngress(ingress),
        ...validateClassAnnotation(ingress, dialect),
      ],
      warningsOnCreate({ metadata, spec }) {
        const name = dialect.annotations.ingressClass;
        const hasAnnotation = metadata.annotations && Object.hasOwn(metadata.annotations, name);
        return hasAnnotation && spec.ingressClassName === undefined
          ? [`annotation "${name}" is deprecated, please use 'spec.ingressClassName' instead`]
          : [];
      },
      // kube-apiserver runs create validation on updates too, so errors can appear twice.
      validateUpdate: (ingress, old) => [
        ...validateMetadataChange(ingress.metadata, old.metadata),
        ...validateFinalizersQualified(ingress.metadata, dialect),
        ...validateMetadata(ingress.metadata, { namespaced: true, nameRule: nameIsSubdomain }),
        ...validateFinalizersQualified(ingress.metadata, dialect),
        ...validateIngress(ingress),
      ],
    },
    subresources: {
      status: {
        ...status,
        rules: {
          ...status.rules,
          warningsOnUpdate: (ingress) => loadBalancerIngressWarnings(ingress.status.loadBalancer, rules),
        },
      },
    },
  });
};
