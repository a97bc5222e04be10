// Pod: warnings about duplicate container ports.
import type { ContainerPort } from './container.ts';
import type { PodSpec } from './pod-spec.ts';

interface PortAt {
  readonly port: ContainerPort;
  readonly path: string;
}

/** The comparison is quadratic; pods with more ports than this get no duplicate-port warnings. */
const maxComparedPorts = 500;

/** Warns about ports with the same number and protocol, or the same name, within a pod, and about hostIP without hostPort. */
export function portWarnings({ initContainers = [], containers = [] }: PodSpec, path: string): string[] {
  const portLists = [
    ...initContainers.map(({ ports = [] }, i) => ({ ports, containerPath: `${path}.initContainers[${i}]` })),
    ...containers.map(({ ports = [] }, i) => ({ ports, containerPath: `${path}.containers[${i}]` })),
  ];
  const portsWithPaths = portLists.flatMap(({ ports, containerPath }): PortAt[] =>
    ports.map((port, i) => ({ port, path: `${containerPath}.ports[${i}]` })),
  );
  if (portsWithPaths.length > maxComparedPorts) return [];
  return [portConflictWarnings, duplicateNameWarnings].flatMap((warningsFor) =>
    portsWithPaths.flatMap((each, i) => warningsFor(each, portsWithPaths.slice(0, i))),
  );
}

function portConflictWarnings({ port, path }: PortAt, earlier: readonly PortAt[]): string[] {
  const warnings: string[] = [];
  const { name = '', hostPort = 0, containerPort, protocol, hostIP = '' } = port;
  if (hostIP !== '' && hostPort === 0) {
    const formattedPort = `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
    warnings.push(`${path}: hostIP set without hostPort: ${formattedPort}`);
  }
  for (const other of earlier) {
    const adjective = conflictAdjective(port, other.port);
    if (adjective) warnings.push(`${path}: ${adjective} port definition with ${other.path}`);
  }
  return warnings;
}

function duplicateNameWarnings({ port: { name }, path }: PortAt, earlier: readonly PortAt[]): string[] {
  const first = name ? earlier.find((other) => other.port.name === name) : undefined;
  if (!first) return [];
  return [
    `${path}: duplicate port name "${name}" with ${first.path}, ` +
      `services and probes that select ports by name will use ${first.path}`,
  ];
}

/** Describes how two ports conflict, for the warning; undefined if they do not. */
function conflictAdjective(a: ContainerPort, b: ContainerPort): string | undefined {
  if (a.containerPort !== b.containerPort || a.protocol !== b.protocol) return undefined;
  const hostPorts = [a.hostPort ?? 0, b.hostPort ?? 0];
  const hostIPs = [a.hostIP ?? '', b.hostIP ?? ''];
  if (hostPorts[0] === hostPorts[1]) {
    if (hostIPs[0] === hostIPs[1]) return 'duplicate';
    if (!hostIPs.includes('')) return undefined;
    return hostPorts[0] === 0 ? 'overlapping' : 'dangerously ambiguous';
  }
  return hostPorts.includes(0) ? 'overlapping' : undefined;
}
