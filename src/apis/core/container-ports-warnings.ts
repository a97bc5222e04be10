// Pod: warnings about ports of its containers that duplicate or overlap each other.
import type { ContainerPort } from './container.ts';
import type { PodSpec } from './pod-spec.ts';

interface PortWithPath {
  readonly port: ContainerPort;
  readonly path: string;
}

/** The comparison is quadratic; pods with more ports than this get no duplicate-port warnings. */
const maxComparedPorts = 500;

/**
 * Warns about ports with the same number and protocol, or the same name, within a pod, and about hostIP without
 * hostPort.
 */
export function portWarnings({ initContainers = [], containers = [] }: PodSpec, path: string): string[] {
  const portLists = [
    ...initContainers.map(({ ports = [] }, i) => ({ ports, containerPath: `${path}.initContainers[${i}]` })),
    ...containers.map(({ ports = [] }, i) => ({ ports, containerPath: `${path}.containers[${i}]` })),
  ];
  const portsWithPaths = portLists.flatMap(({ ports, containerPath }): PortWithPath[] =>
    ports.map((port, i) => ({ port, path: `${containerPath}.ports[${i}]` })),
  );
  if (portsWithPaths.length > maxComparedPorts) return [];
  return [portConflictWarnings, duplicateNameWarnings].flatMap((warningsFor) =>
    portsWithPaths.flatMap((portWithPath, i) => warningsFor(portWithPath, portsWithPaths.slice(0, i))),
  );
}

function portConflictWarnings({ port, path }: PortWithPath, earlier: readonly PortWithPath[]): string[] {
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

function duplicateNameWarnings({ port, path }: PortWithPath, earlier: readonly PortWithPath[]): string[] {
  const { name } = port;
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
  if ((a.hostPort ?? 0) !== (b.hostPort ?? 0)) return a.hostPort && b.hostPort ? undefined : 'overlapping';
  if ((a.hostIP ?? '') === (b.hostIP ?? '')) return 'duplicate';
  // Two different host IPs do not overlap; an empty one stands for all of them.
  if (a.hostIP && b.hostIP) return undefined;
  return a.hostPort ? 'dangerously ambiguous' : 'overlapping';
}
