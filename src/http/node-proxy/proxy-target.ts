// The backend of a proxy subresource: a node, a pod or an endpoint of a service.
import { randomInt } from 'node:crypto';
import { lookup as lookupWithCallback } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import type { Endpoints } from '../../apis/core/endpoints.ts';
import type { Pod } from '../../apis/core/pod.ts';
import type { Service } from '../../apis/core/service.ts';
import { expensiveRequests } from '../../base/cooperative-yield.ts';
import { type Ip, parseIp } from '../../base/ip-address.ts';
import { badRequest, serviceUnavailable } from '../../errors/catalogue.ts';
import type { Backend } from '../../transport/proxy/backend.ts';

/** The name segment of a proxy request: `name`, `name:port`, `https:name:port`. */
export interface ProxyName {
  /** '' if absent. */
  readonly scheme: '' | 'http' | 'https';
  readonly name: string;
  /** A number or a name; '' if absent. */
  readonly port: string;
}

/** Parses the name segment. Throws 400 if it is malformed. */
export function readProxyName(text: string, kind: 'node' | 'pod' | 'service'): ProxyName {
  const parts = text.split(':');
  // `name` and `name:port` have no scheme.
  const [scheme, name, port] = parts.length < 3 ? ['', ...parts] : parts;
  if (parts.length > 3 || !name || (scheme !== '' && scheme !== 'http' && scheme !== 'https')) {
    throw badRequest(`invalid ${kind} request ${JSON.stringify(text)}`);
  }
  return { scheme, name, port: port ?? '' };
}

/** Certificates of pods and services are not verified: there is no CA for them. */
const unverifiedTls = { rejectUnauthorized: false };

/** The first address of the pod, at the requested port or its first container port. */
export function podBackend(pod: Pod, { scheme, port }: ProxyName): Backend {
  const host = addressesOf(pod)[0] ?? '';
  assertAddressAllowed(host);
  const firstPort = (pod.spec.containers ?? []).flatMap(({ ports = [] }) => ports)[0]?.containerPort;
  return backendAt(scheme, host, port || (firstPort === undefined ? '' : String(firstPort)));
}

export function backendAt(scheme: ProxyName['scheme'], host: string, port: string): Backend {
  if (port !== '' && !/^[0-9]{1,5}$/.test(port)) {
    throw serviceUnavailable(`error trying to reach service: dial tcp: lookup tcp/${port}: unknown port`);
  }
  const effectiveScheme = scheme || 'http';
  return {
    scheme: effectiveScheme,
    host,
    port: port || (effectiveScheme === 'http' ? '80' : '443'),
    tls: unverifiedTls,
  };
}

const addressesOf = ({ status }: Pod) => (status.podIPs ?? []).map(({ ip }) => ip);

/**
 * A ready endpoint of a service, from a random one on, and its pod. `requestedName` is the name segment of the path, which
 * `requested` is read from; `podOf` looks up a pod. Only addresses of existing pods of the namespace count: Endpoints may name
 * any address.
 */
export async function serviceBackend(
  service: Service,
  endpoints: Endpoints,
  requested: ProxyName,
  requestedName: string,
  podOf: (namespace: string, name: string) => Pod | undefined,
): Promise<{ readonly backend: Backend; readonly pod: Pod }> {
  const portName = servicePortName(service, requested.port);
  const candidates = (endpoints.subsets ?? []).flatMap(({ addresses = [], ports = [] }) =>
    ports
      .filter((port) => (port.name ?? '') === portName)
      .flatMap(({ port }) => addresses.map(({ ip, targetRef }) => ({ ip, port, targetRef }))),
  );
  const first = randomInt(Math.max(1, candidates.length));
  for (const { ip, port, targetRef } of [...candidates.slice(first), ...candidates.slice(0, first)]) {
    const { kind, namespace = '', name: podName = '' } = targetRef ?? {};
    if (kind !== 'Pod' || namespace !== service.metadata.namespace) continue;
    // Endpoints may name very many pods.
    await expensiveRequests.next();
    const pod = podOf(namespace, podName);
    if (pod && addressesOf(pod).includes(ip)) {
      return { backend: backendAt(requested.scheme, ip, String(port)), pod };
    }
  }
  const shownName = endpoints.subsets?.length ? requestedName : service.metadata.name;
  throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(shownName)}`);
}

/** The name of the service port that is requested by name or number. */
function servicePortName({ metadata, spec }: Service, requested: string): string {
  if (!/^[+-]?[0-9]+$/.test(requested)) return requested;
  const servicePort = spec.ports?.find(({ port }) => port === Number(requested));
  if (servicePort) return servicePort.name ?? '';
  throw serviceUnavailable(
    `no service port ${Number(requested)} found for service ${JSON.stringify(metadata.name)}`,
  );
}

/** Throws 400 for a host at a loopback or link-local address: a proxy must not reach these of the server's machine. */
export async function assertHostAllowed(host: string): Promise<void> {
  if (parseIp(host)) return assertAddressAllowed(host);
  const addresses = await lookup(host, { all: true }).catch((error: Error) => {
    throw badRequest(
      `lookup ${host}: ${'code' in error && error.code === 'ENOTFOUND' ? 'no such host' : error.message}`,
    );
  });
  for (const { address } of addresses) assertAddressAllowed(address);
}

/**
 * DNS lookup of the connection, which fails unless all addresses are allowed: the name may resolve differently than at
 * validation (DNS rebinding).
 */
export const lookUpAllowed: LookupFunction = (host, options, callback) =>
  lookupWithCallback(host, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0);
    if (!addresses.every(({ address }) => isAllowed(address))) {
      return callback(new Error('address not allowed'), '', 0);
    }
    if (options.all) callback(null, addresses);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  });

function assertAddressAllowed(address: string): void {
  if (!isAllowed(address)) throw badRequest('address not allowed');
}

function isAllowed(address: string): boolean {
  const ip = parseIp(address);
  return ip !== undefined && isGlobalUnicast(ip);
}

/** Whether an address is not unspecified, loopback, link-local, multicast or broadcast. */
function isGlobalUnicast({ family, value }: Ip): boolean {
  if (family === 'IPv4') {
    const firstOctet = value >> 24n;
    return (
      value !== 0n &&
      firstOctet !== 127n &&
      // Link-local 169.254.0.0/16, multicast 224.0.0.0/4, broadcast.
      value >> 16n !== 0xa9fen &&
      firstOctet >> 4n !== 0xen &&
      value !== 0xffffffffn
    );
  }
  // ::, ::1, fe80::/10, ff00::/8
  return value > 1n && value >> 118n !== 0x3fan && value >> 120n !== 0xffn;
}
