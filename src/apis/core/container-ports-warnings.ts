// Pod: warnings about duplicate container ports.
import type { ContainerPort } from './container.ts';
import type { PodSpec } from './pod-spec.ts';

interface PortAt {
  readonly port: ContainerPort;
  readonly path: string;
}

/** The comparison is quadratic; pods with more ports than this get no duplicate-port warnings. */
const maxComparedPorts = 500;

/** Warns about ports with the same number and protocol, or the same name, within a pod. */
export function portWarnings({ initContainers = [], containers = [] }: PodSpec, path: string): string[] {
  const portLists = [
    ...initContainers.map(({ ports = [] }, i) => ({ ports, containerPath: `${path}.initContainers[${i}]` })),
    ...containers.map(({ ports = [] }, i) => ({ ports, containerPath: `${path}.containers[${i}]` })),
  ];
  const portsWithPaths = portLists.flatMap(({ ports, containerPath }): PortAt[] =>
    ports.map((port, i) => ({ port, path: `${containerPath}.ports[${i}]` })),
  );
  if (portsWithPaths.length > maxComparedPorts) return [];
  return [duplicatePortWarnings, nameWarnings].flatMap((warnings) =>
    portsWithPaths.flatMap((each, i) => warnings(each, portsWithPaths.slice(0, i))),
  );
}

function duplicatePortWarnings({ port, path }: PortAt, earlier: readonly PortAt[]): string[] {
  const warnings: string[] = [];
  const { name = '', hostPort = 0, containerPort, protocol, hostIP = '' } = port;
  if (hostIP !== '' && hostPort === 0) {
    const formattedPort = `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
    warnings.push(`${path}: hostIP set without hostPort: ${formattedPort}`);
  }
  for (const other of earlier) {
    const conflict = conflictOf(port, other.port);
    if (conflict) warnings.push(`${path}: ${conflict} port definition with ${other.path}`);
  }
  return warnings;
}

function nameWarnings({ port: { name }, path }: PortAt, earlier: readonly PortAt[]): string[] {
  const first = name ? earlier.find((other) => other.port.name === name) : undefined;
  if (!first) return [];
  return [
    `${path}: duplicate port name "${name}" with ${first.path}, ` +
      `services and probes that select ports by name will use ${first.path}`,
  ];
}

function conflictOf(a: ContainerPort, b: ContainerPort): string | undefined {
  if (a.containerPort !== b.containerPort || a.protocol !== b.protocol) return undefined;
  const ports = [a.hostPort ?? 0, b.hostPort ?? 0];
  const addresses = [a.hostIP ?? '', b.hostIP ?? ''];
  if (ports[0] === ports[1]) {
    if (addresses[0] === addresses[1]) return 'duplicate';
    if (!addresses.includes('')) return undefined;
    return ports[0] === 0 ? 'overlapping' : 'dangerously ambiguous';
  }
  return ports.includes(0) ? 'overlapping' : undefined;
}
