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
  const listed = [
    ...initContainers.map(({ ports = [] }, i) => ({ ports, at: `${path}.initContainers[${i}]` })),
    ...containers.map(({ ports = [] }, i) => ({ ports, at: `${path}.containers[${i}]` })),
  ];
  const all = listed.flatMap(({ ports, at }): PortAt[] =>
    ports.map((port, i) => ({ port, path: `${at}.ports[${i}]` })),
  );
  if (all.length > maxComparedPorts) return [];
  return [duplicatePortWarnings, nameWarnings].flatMap((warnings) =>
    all.flatMap((each, i) => warnings(each, all.slice(0, i))),
  );
}

function duplicatePortWarnings({ port, path }: PortAt, before: readonly PortAt[]): string[] {
  const warnings: string[] = [];
  const { name = '', hostPort = 0, containerPort, protocol, hostIP = '' } = port;
  if (hostIP !== '' && hostPort === 0) {
    const shown = `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
    warnings.push(`${path}: hostIP set without hostPort: ${shown}`);
  }
  for (const other of before) {
    const clash = conflictOf(port, other.port);
    if (clash) warnings.push(`${path}: ${clash} port definition with ${other.path}`);
  }
  return warnings;
}

function nameWarnings({ port: { name }, path }: PortAt, before: readonly PortAt[]): string[] {
  const first = name ? before.find((other) => other.port.name === name) : undefined;
  if (!first) return [];
  return [
    `${path}: duplicate port name "${name}" with ${first.path}, ` +
      `services and probes that select ports by name will use ${first.path}`,
  ];
}

function conflictOf(one: ContainerPort, other: ContainerPort): string | undefined {
  if (one.containerPort !== other.containerPort || one.protocol !== other.protocol) return undefined;
  const ports = [one.hostPort ?? 0, other.hostPort ?? 0];
  const addresses = [one.hostIP ?? '', other.hostIP ?? ''];
  if (ports[0] === ports[1]) {
    if (addresses[0] === addresses[1]) return 'duplicate';
    if (!addresses.includes('')) return undefined;
    return ports[0] === 0 ? 'overlapping' : 'dangerously ambiguous';
  }
  return ports.includes(0) ? 'overlapping' : undefined;
}
