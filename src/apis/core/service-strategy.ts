// Service: the strategies that run on writes of services and of their status.
// Dialect: the names of annotations in Kubernetes' domain, or in Orch's own.

import { type FieldError, forbidden, invalid } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import type { Subresource } from '../../kind/definition.ts';
import { addressRules } from '../../kind/meta/address-rules.ts';
import {
  validateBuiltInMetadataChange,
  validateFinalizersQualified,
  validateMetadata,
  validateMetadataChange,
} from '../../kind/meta/validation.ts';
import type { Strategy } from '../../kind/strategy.ts';
import { nameIsLabel1035 } from '../../schema/names.ts';
import { loadBalancerIngressWarnings, validateLoadBalancerIngress } from './load-balancer-validation.ts';
import type { Service } from './service.ts';
import { validateDualStackUpdate } from './service-addresses.ts';
import { isHeadless, isLoadBalancer, needsHealthCheckNodePort } from './service-traits.ts';
import { dropTypeDependentFields } from './service-type-change.ts';
import { validateLoadBalancerClass, validateService } from './service-validation.ts';

export function serviceStrategy(context: KindContext): Strategy<Service> {
  const { dialect } = context;
  const warnings = (service: Service) => serviceWarnings(service, context);
  return {
    validateName: nameIsLabel1035,
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: true,
    deleteReturnsObject: true,
    prepareForCreate(service) {
      service.status = { loadBalancer: {} };
      dropInternalTrafficPolicy(service);
    },
    validate: (service) => [
      ...validateFinalizersQualified(service.metadata, dialect),
      ...validateService(service, undefined, context),
    ],
    warningsOnCreate: warnings,
    resetFields: ['status'],
    prepareForUpdate(service, old) {
      service.status = isLoadBalancer(service) ? old.status : { ...old.status, loadBalancer: {} };
      dropTypeDependentFields(service, old);
      dropInternalTrafficPolicy(service);
    },
    // kube-apiserver runs create validation on updates too, so errors can appear twice.
    validateUpdate: (service, old) => [
      ...validateMetadataChange(service.metadata, old.metadata),
      ...validateFinalizersQualified(service.metadata, dialect),
      ...validateDualStackUpdate(service, old),
      ...validateLoadBalancerClassUpdate(service, old),
      ...validateHealthCheckNodePortUpdate(service, old),
      ...validateMetadata(service.metadata, { namespaced: true, nameRule: nameIsLabel1035 }),
      ...validateFinalizersQualified(service.metadata, dialect),
      ...validateService(service, old, context),
    ],
    warningsOnUpdate: warnings,
    reserve: ({ serviceAllocator }, service, old, dryRun) => serviceAllocator.reserve(service, old, dryRun),
    afterDelete: ({ serviceAllocator }, service) => serviceAllocator.release(service),
  };
}

export function serviceStatusSubresource(context: KindContext): Subresource<Service> {
  const addresses = addressRules(context);
  return {
    verbs: ['get', 'patch', 'update'],
    rules: {
      resetFields: ['spec'],
      prepareForUpdate(service, old) {
        service.spec = old.spec;
      },
      validateUpdate(service, old) {
        const errors = validateBuiltInMetadataChange(service.metadata, old.metadata, context.dialect);
        const { loadBalancer } = service.status;
        if (!isLoadBalancer(service) && (loadBalancer.ingress ?? []).length > 0) {
          const detail = "may only be used when `spec.type` is 'LoadBalancer'";
          return [...errors, forbidden('status.loadBalancer.ingress', detail)];
        }
        return [...errors, ...validateLoadBalancerIngress(loadBalancer, old.status.loadBalancer, addresses)];
      },
      warningsOnUpdate: ({ status }) => loadBalancerIngressWarnings(status.loadBalancer, addresses),
    },
  };
}

/**
 * ExternalName services have no internal traffic; a valid internalTrafficPolicy is dropped, an invalid one is left
 * for validation.
 */
function dropInternalTrafficPolicy({ spec }: Service): void {
  const { internalTrafficPolicy } = spec;
  const isValid = internalTrafficPolicy === 'Cluster' || internalTrafficPolicy === 'Local';
  if (spec.type === 'ExternalName' && isValid) delete spec.internalTrafficPolicy;
}

function validateLoadBalancerClassUpdate(service: Service, old: Service): FieldError[] {
  const { loadBalancerClass } = service.spec;
  const isChanged = loadBalancerClass !== old.spec.loadBalancerClass;
  if (isLoadBalancer(service) && isLoadBalancer(old) && isChanged) {
    return [
      invalid('spec.loadBalancerClass', loadBalancerClass ?? 'null', 'may not change once set'),
      ...validateLoadBalancerClass(service),
    ];
  }
  return validateLoadBalancerClass(service);
}

function validateHealthCheckNodePortUpdate(service: Service, old: Service): FieldError[] {
  if (!needsHealthCheckNodePort(service) || !needsHealthCheckNodePort(old)) return [];
  if ((service.spec.healthCheckNodePort ?? 0) === (old.spec.healthCheckNodePort ?? 0)) return [];
  return [forbidden('spec.healthCheckNodePort', 'field is immutable')];
}

function serviceWarnings(service: Service, context: KindContext): string[] {
  const { topologyAwareHints, topologyMode } = context.dialect.annotations;
  const { annotations } = service.metadata;
  const { type, clusterIPs = [], externalIPs = [], externalName } = service.spec;
  const { loadBalancerIP, loadBalancerSourceRanges = [] } = service.spec;
  const rules = addressRules(context);
  const ipWarnings = (field: string, ips: readonly string[]) =>
    ips.flatMap((ip, i) => rules.ipWarnings(ip, `spec.${field}[${i}]`));
  const warnings = [
    ...(annotations && Object.hasOwn(annotations, topologyAwareHints)
      ? [`annotation ${topologyAwareHints} is deprecated, please use ${topologyMode} instead`]
      : []),
    ...(isHeadless(service) ? [] : ipWarnings('clusterIPs', clusterIPs)),
    ...ipWarnings('externalIPs', externalIPs),
    ...(loadBalancerIP ? rules.ipWarnings(loadBalancerIP, 'spec.loadBalancerIP') : []),
    ...loadBalancerSourceRanges.flatMap((range, i) =>
      rules.cidrWarnings(range, `spec.loadBalancerSourceRanges[${i}]`),
    ),
  ];
  if (type === 'ExternalName' && externalIPs.length > 0) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (type !== 'ExternalName' && externalName) {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  return warnings;
}
