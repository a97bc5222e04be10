// Writes of a Service that omit allocated values: keeps them on an update (kube-apiserver: patchAllocatedValues), and fills
// in clusterIPs from clusterIP (kube-apiserver: NormalizeClusterIPs).
import type { Service } from '../../apis/core/service.ts';
import {
  hasClusterIp,
  hasSameClusterIps,
  needsHealthCheckNodePort,
  needsNodePorts,
} from '../../apis/core/service-traits.ts';

/** Copies cluster IPs, node ports and healthCheckNodePort from the old Service where the new one omits them. */
export function patchAllocatedValues(service: Service, old: Service): void {
  const { spec } = service;
  const { spec: oldSpec } = old;
  const areBoth = (condition: (service: Service) => boolean) => condition(service) && condition(old);
  if (areBoth(hasClusterIp)) {
    if (!spec.clusterIP && oldSpec.clusterIP) spec.clusterIP = oldSpec.clusterIP;
    if (!spec.clusterIPs?.length && spec.clusterIP === oldSpec.clusterIP && oldSpec.clusterIPs) {
      spec.clusterIPs = [...oldSpec.clusterIPs];
    }
  }
  if (areBoth(needsNodePorts)) copyOmittedNodePorts(service, old);
  if (areBoth(needsHealthCheckNodePort) && oldSpec.healthCheckNodePort) {
    spec.healthCheckNodePort ||= oldSpec.healthCheckNodePort;
  }
}

/** Matches ports by name. A node port is kept, unless another port of the same protocol uses it now. */
function copyOmittedNodePorts(
  { spec: { ports = [] } }: Service,
  { spec: { ports: oldPorts = [] } }: Service,
): void {
  const oldNodePortByName = new Map(oldPorts.map(({ name = '', nodePort = 0 }) => [name, nodePort]));
  const used = new Set(ports.map(({ protocol, nodePort }) => `${protocol} ${nodePort}`));
  for (const port of ports) {
    const nodePort = oldNodePortByName.get(port.name ?? '') ?? 0;
    const protocolAndPort = `${port.protocol} ${nodePort}`;
    if (port.nodePort || nodePort === 0 || used.has(protocolAndPort)) continue;
    port.nodePort = nodePort;
    used.add(protocolAndPort);
  }
}

/**
 * Makes `clusterIPs` agree with `clusterIP` for clients that only set the latter: also on an update that changes or clears
 * clusterIP and leaves the old clusterIPs.
 */
export function normalizeClusterIps(service: Service, old: Service | undefined): void {
  const { spec } = service;
  if (spec.clusterIP && !spec.clusterIPs?.length) spec.clusterIPs = [spec.clusterIP];
  if (!old) return;
  const oldClusterIP = old.spec.clusterIP ?? '';
  const clusterIP = spec.clusterIP ?? '';
  if (clusterIP !== oldClusterIP && hasSameClusterIps(service, old)) {
    spec.clusterIPs = clusterIP === '' ? [] : [clusterIP];
  }
}
