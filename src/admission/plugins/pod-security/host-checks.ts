// Pod Security Standards: checks of host namespaces, host ports, hostPath and other volumes, host processes and sysctls.
// Each check returns the violation of a pod; undefined if it passes.
import type { PodParts } from './pod-parts.ts';
import {
  containersOf,
  formatContainers,
  formatNames,
  formatSetters,
  plural,
  quoted,
  sortedUnique,
  type Violation,
} from './wording.ts';

export function hostNamespaces({ spec }: PodParts): Violation | undefined {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((name) => spec[name]);
  if (shared.length === 0) return undefined;
  return { reason: 'host namespaces', detail: shared.map((name) => `${name}=true`).join(', ') };
}

export function hostPathVolumes({ spec }: PodParts): Violation | undefined {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath).map(({ name }) => name);
  return names.length > 0 ? { reason: 'hostPath volumes', detail: formatNames('volume', names) } : undefined;
}

export function hostPorts({ spec }: PodParts): Violation | undefined {
  const portsOf = (container: { ports?: readonly { hostPort?: number }[] }) =>
    (container.ports ?? []).flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : []));
  const users = containersOf(spec).filter((container) => portsOf(container).length > 0);
  if (users.length === 0) return undefined;
  const ports = sortedUnique(users.flatMap(portsOf));
  const verb = users.length === 1 ? 'uses' : 'use';
  return {
    reason: 'hostPort',
    detail: `${formatContainers(users)} ${verb} ${plural('hostPort', ports)} ${ports.join(', ')}`,
  };
}

export function windowsHostProcess({ spec }: PodParts): Violation | undefined {
  const isHostProcess = (context: { windowsOptions?: { hostProcess?: boolean } } | undefined) =>
    context?.windowsOptions?.hostProcess === true;
  const isSetOnPod = isHostProcess(spec.securityContext);
  const containers = containersOf(spec).filter(({ securityContext }) => isHostProcess(securityContext));
  if (!isSetOnPod && containers.length === 0) return undefined;
  return {
    reason: 'hostProcess',
    detail: `${formatSetters(isSetOnPod, containers)} must not set securityContext.windowsOptions.hostProcess=true`,
  };
}

const allowedVolumeTypes = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

export function restrictedVolumes({ spec }: PodParts): Violation | undefined {
  const typeOf = (volume: object) =>
    Object.entries(volume).find(([field, value]) => field !== 'name' && value !== undefined)?.[0] ??
    'unknown';
  const forbidden = (spec.volumes ?? []).filter((volume) => !allowedVolumeTypes.has(typeOf(volume)));
  if (forbidden.length === 0) return undefined;
  const types = sortedUnique(forbidden.map(typeOf));
  const names = forbidden.map(({ name }) => name);
  const verb = names.length === 1 ? 'uses' : 'use';
  return {
    reason: 'restricted volume types',
    detail: `${formatNames('volume', names)} ${verb} restricted volume ${plural('type', types)} ${quoted(types)}`,
  };
}

/** Sysctls that pods may set, by the minor version of the standards since which they are allowed. */
const safeSysctls: readonly (readonly [since: number, ...names: string[]])[] = [
  [
    0,
    'kernel.shm_rmid_forced',
    'net.ipv4.ip_local_port_range',
    'net.ipv4.ip_unprivileged_port_start',
    'net.ipv4.ping_group_range',
    'net.ipv4.tcp_syncookies',
  ],
  [27, 'net.ipv4.ip_local_reserved_ports'],
  [
    29,
    'net.ipv4.tcp_fin_timeout',
    'net.ipv4.tcp_keepalive_intvl',
    'net.ipv4.tcp_keepalive_probes',
    'net.ipv4.tcp_keepalive_time',
  ],
  [32, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'],
];

export function sysctls({ spec }: PodParts, minor: number): Violation | undefined {
  const isSafe = (name: string) =>
    safeSysctls.some(([since, ...names]) => minor >= since && names.includes(name));
  const forbidden = (spec.securityContext?.sysctls ?? [])
    .map(({ name }) => name)
    .filter((name) => !isSafe(name));
  return forbidden.length > 0 ? { reason: 'forbidden sysctls', detail: forbidden.join(', ') } : undefined;
}
