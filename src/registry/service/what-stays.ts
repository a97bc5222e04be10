import type { Service } from '../../apis/core/service.ts';
import {
  hasClusterIp,
  needsHealthCheckNodePort,
  needsNodePorts,
  sameClusterIps,
} from '../../apis/core/service-traits.ts';

/** What was given out before stays with a service whose update does not mention it. */
export function keepWhatWasGivenOut(service: Service, old: Service): void {
  const { spec } = service;
  const { spec: before } = old;
  const both = (needs: (service: Service) => boolean) => needs(service) && needs(old);
  if (both(hasClusterIp)) {
    if (!spec.clusterIP && before.clusterIP) spec.clusterIP = before.clusterIP;
    if (!spec.clusterIPs?.length && spec.clusterIP === before.clusterIP && before.clusterIPs) {
      spec.clusterIPs = [...before.clusterIPs];
    }
  }
  if (both(needsNodePorts)) keepNodePorts(service, old);
  if (both(needsHealthCheckNodePort) && before.healthCheckNodePort) {
    spec.healthCheckNodePort ||= before.healthCheckNodePort;
  }
}

/** A port is known by its name: the number it had is used again, unless another port of the protocol has it now. */
function keepNodePorts({ spec: { ports = [] } }: Service, { spec: { ports: before = [] } }: Service): void {
  const byName = new Map(before.map(({ name = '', nodePort = 0 }) => [name, nodePort]));
  const used = new Set(ports.map(({ protocol, nodePort }) => `${protocol} ${nodePort}`));
  for (const port of ports) {
    const nodePort = byName.get(port.name ?? '') ?? 0;
    const pair = `${port.protocol} ${nodePort}`;
    if (port.nodePort || nodePort === 0 || used.has(pair)) continue;
    port.nodePort = nodePort;
    used.add(pair);
  }
}

/** `clusterIP` and `clusterIPs` say the same; who knows only of the first one writes that alone. */
export function matchClusterIps(service: Service, old: Service | undefined): void {
  const { spec } = service;
  if (spec.clusterIP && !spec.clusterIPs?.length) spec.clusterIPs = [spec.clusterIP];
  if (!old) return;
  const before = old.spec.clusterIP ?? '';
  const now = spec.clusterIP ?? '';
  if (now !== before && sameClusterIps(service, old)) spec.clusterIPs = now === '' ? [] : [now];
}
