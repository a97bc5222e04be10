// Service: drops fields of the previous type when spec.type changes.
import type { Service } from './service.ts';
import {
  hasClusterIp,
  hasSameClusterIps,
  hasSameIpFamilies,
  isExternallyAccessible,
  isLoadBalancer,
  mayHaveNodePorts,
  needsHealthCheckNodePort,
} from './service-traits.ts';

/** Drops fields that the new type does not support and that the client left unchanged. */
export function dropTypeDependentFields(service: Service, old: Service): void {
  const { spec } = service;
  const { spec: oldSpec } = old;
  const loses = (trait: (service: Service) => boolean) => trait(old) && !trait(service);
  if (loses(hasClusterIp)) {
    if (hasSameClusterIps(service, old)) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    if (hasSameIpFamilies(service, old)) delete spec.ipFamilies;
    if (spec.ipFamilyPolicy === oldSpec.ipFamilyPolicy) delete spec.ipFamilyPolicy;
  }
  if (loses(mayHaveNodePorts) && hasNoNewNodePorts(service, old)) {
    for (const port of spec.ports ?? []) delete port.nodePort;
  }
  if (
    loses(needsHealthCheckNodePort) &&
    (spec.healthCheckNodePort ?? 0) === (oldSpec.healthCheckNodePort ?? 0)
  ) {
    delete spec.healthCheckNodePort;
  }
  if (loses(isLoadBalancer)) {
    if (spec.allocateLoadBalancerNodePorts === oldSpec.allocateLoadBalancerNodePorts) {
      delete spec.allocateLoadBalancerNodePorts;
    }
    if (spec.loadBalancerClass === oldSpec.loadBalancerClass) delete spec.loadBalancerClass;
  }
  if (loses(isExternallyAccessible) && spec.externalTrafficPolicy === oldSpec.externalTrafficPolicy) {
    delete spec.externalTrafficPolicy;
  }
}

/**
 * Whether the client set no nodePort that the old service did not have. Compares only nodePort numbers, because the
 * ports themselves may be changed or removed in the same update.
 */
function hasNoNewNodePorts(service: Service, old: Service): boolean {
  const oldPorts = collectNodePorts(old);
  return collectNodePorts(service).every((port) => oldPorts.includes(port));
}

function collectNodePorts({ spec: { ports = [] } }: Service): number[] {
  return ports.flatMap(({ nodePort }) => nodePort || []);
}
