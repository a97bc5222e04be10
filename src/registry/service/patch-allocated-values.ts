// Updates of a Service: keeps allocated values that the update omits (kube-apiserver: patchAllocatedValues).
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
  const bothNeed = (needs: (service: Service) => boolean) => needs(service) && needs(old);
  if (bothNeed(hasClusterIp)) {
    if (!spec.clusterIP && oldSpec.clusterIP) spec.clusterIP = oldSpec.clusterIP;
    if (!spec.clusterIPs?.length && spec.clusterIP === oldSpec.clusterIP && oldSpec.clusterIPs) {
      spec.clusterIPs = [...oldSpec.clusterIPs];
    }
  }
  if (bothNeed(needsNodePorts)) copyOmittedNodePorts(service, old);
  if (bothNeed(needsHealthCheckNodePort) && oldSpec.healthCheckNodePort) {
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

/** Makes `clusterIPs` agree with `clusterIP` for clients that only set the latter. */
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
