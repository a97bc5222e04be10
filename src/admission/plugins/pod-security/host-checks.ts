// Pod Security Standards: checks of host namespaces, ports, paths and volumes.
import type { PodParts } from './pod-parts.ts';
import {
  containersNamed,
  containersOf,
  counted,
  plural,
  quoted,
  setters,
  sorted,
  type Violation,
} from './wording.ts';

export function hostNamespaces({ spec }: PodParts): Violation | undefined {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((name) => spec[name]);
  if (shared.length === 0) return undefined;
  return { reason: 'host namespaces', detail: shared.map((name) => `${name}=true`).join(', ') };
}

export function hostPathVolumes({ spec }: PodParts): Violation | undefined {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath).map(({ name }) => name);
  return names.length > 0 ? { reason: 'hostPath volumes', detail: counted('volume', names) } : undefined;
}

export function hostPorts({ spec }: PodParts): Violation | undefined {
  const portsOf = (container: { ports?: readonly { hostPort?: number }[] }) =>
    (container.ports ?? []).flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : []));
  const users = containersOf(spec).filter((container) => portsOf(container).length > 0);
  if (users.length === 0) return undefined;
  const ports = sorted(users.flatMap(portsOf));
  const use = users.length === 1 ? 'uses' : 'use';
  return {
    reason: 'hostPort',
    detail: `${containersNamed(users)} ${use} ${plural('hostPort', ports)} ${ports.join(', ')}`,
  };
}

export function windowsHostProcess({ spec }: PodParts): Violation | undefined {
  const isHost = (context: { windowsOptions?: { hostProcess?: boolean } } | undefined) =>
    context?.windowsOptions?.hostProcess === true;
  const isPod = isHost(spec.securityContext);
  const containers = containersOf(spec).filter(({ securityContext }) => isHost(securityContext));
  if (!isPod && containers.length === 0) return undefined;
  return {
    reason: 'hostProcess',
    detail: `${setters(isPod, containers)} must not set securityContext.windowsOptions.hostProcess=true`,
  };
}

const freeVolumes = new Set([
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
  const bad = (spec.volumes ?? []).filter((volume) => !freeVolumes.has(typeOf(volume)));
  if (bad.length === 0) return undefined;
  const types = sorted(bad.map(typeOf));
  const names = bad.map(({ name }) => name);
  const use = names.length === 1 ? 'uses' : 'use';
  return {
    reason: 'restricted volume types',
    detail: `${counted('volume', names)} ${use} restricted volume ${plural('type', types)} ${quoted(types)}`,
  };
}

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
  const bad = (spec.securityContext?.sysctls ?? []).map(({ name }) => name).filter((name) => !isSafe(name));
  return bad.length > 0 ? { reason: 'forbidden sysctls', detail: bad.join(', ') } : undefined;
}
