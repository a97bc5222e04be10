import type { Service } from './service.ts';
import {
  hasClusterIp,
  hasHealthCheck,
  isLoadBalancer,
  isReachableFromOutside,
  mayHaveNodePorts,
  sameClusterIps,
  sameIpFamilies,
} from './service-traits.ts';

/** Takes away what only the type before could have, as far as the user left it as it was. */
export function dropWhatTheOldTypeHad(service: Service, old: Service): void {
  const { spec } = service;
  const { spec: before } = old;
  const loses = (has: (service: Service) => boolean) => has(old) && !has(service);
  if (loses(hasClusterIp)) {
    if (sameClusterIps(service, old)) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    if (sameIpFamilies(service, old)) delete spec.ipFamilies;
    if (spec.ipFamilyPolicy === before.ipFamilyPolicy) delete spec.ipFamilyPolicy;
  }
  if (loses(mayHaveNodePorts) && hasNoOtherNodePorts(service, old)) {
    for (const port of spec.ports ?? []) delete port.nodePort;
  }
  if (loses(hasHealthCheck) && (spec.healthCheckNodePort ?? 0) === (before.healthCheckNodePort ?? 0)) {
    delete spec.healthCheckNodePort;
  }
  if (loses(isLoadBalancer)) {
    if (spec.allocateLoadBalancerNodePorts === before.allocateLoadBalancerNodePorts) {
      delete spec.allocateLoadBalancerNodePorts;
    }
    if (spec.loadBalancerClass === before.loadBalancerClass) delete spec.loadBalancerClass;
  }
  if (loses(isReachableFromOutside) && spec.externalTrafficPolicy === before.externalTrafficPolicy) {
    delete spec.externalTrafficPolicy;
  }
}

/** The numbers alone count: the ports they belong to may have changed otherwise, or be gone. */
function hasNoOtherNodePorts(service: Service, old: Service): boolean {
  const before = nodePortsOf(old);
  return nodePortsOf(service).every((port) => before.includes(port));
}

function nodePortsOf({ spec: { ports = [] } }: Service): number[] {
  return ports.flatMap(({ nodePort }) => nodePort || []);
}
