// The Service `kubernetes` in the default namespace: its cluster IP, Endpoints and EndpointSlice.
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { assignableRange, type Cidr } from '../../base/cidr.ts';
import { formatIp, isLoopback, parseIp } from '../../base/ip-address.ts';
import type { Client, Manifest } from '../../client/client.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';

/** Where the server listens, and the address to publish if it is configured. */
export interface ListenAddresses {
  readonly bindAddress: string;
  readonly advertiseAddress: string | undefined;
}

export interface ApiServerAddress {
  readonly port: number;
  /** Upstream's --advertise-address; undefined if the machine has no suitable address. */
  readonly address: string | undefined;
  /** The server listens on loopback: other machines do not reach it at this address. */
  readonly isLocal?: boolean;
}

/** The address to publish. Endpoints must not be loopback addresses. */
export function advertisedAddress({
  bindAddress,
  advertiseAddress,
}: ListenAddresses): Pick<ApiServerAddress, 'address' | 'isLocal'> {
  if (advertiseAddress !== undefined) return { address: advertiseAddress };
  const ip = parseIp(bindAddress);
  if (!ip || !isLoopback(ip)) return { address: publicAddress(bindAddress) };
  return { address: interfaceAddress('IPv4') ?? interfaceAddress('IPv6'), isLocal: true };
}

/** The address at which other machines reach a server that listens on `bindAddress`; undefined on loopback. */
export function publicAddress(bindAddress: string): string | undefined {
  const ip = parseIp(bindAddress);
  if (!ip || isLoopback(ip)) return undefined;
  return ip.value === 0n ? interfaceAddress(ip.family) : formatIp(ip);
}

function interfaceAddress(ipFamily: 'IPv4' | 'IPv6'): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal, address }) => {
    const isLinkLocal = address.startsWith('fe80:') || address.startsWith('169.254.');
    return family === ipFamily && !internal && !isLinkLocal;
  })?.address;
}

/**
 * Publishes the Service with the first IP of the service range, and endpoints for the given addresses. No endpoints
 * without an advertised address.
 */
export async function publishKubernetesService(
  client: Client,
  dialect: Dialect,
  range: Cidr,
  server: ApiServerAddress,
  addresses: readonly string[],
): Promise<void> {
  const { port } = server;
  const metadata = { namespace: 'default', name: dialect.apiServiceName };
  await ensure(client, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...metadata, labels: { component: 'apiserver', provider: dialect.apiServiceName } },
    spec: {
      type: 'ClusterIP',
      clusterIP: formatIp({ family: range.family, value: assignableRange(range).first }),
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }],
      sessionAffinity: 'None',
      ipFamilyPolicy: 'SingleStack',
    },
  });
  if (server.address !== undefined) await publishEndpoints(client, dialect, server, addresses);
}

/** Endpoints of servers with the IP family and port of this one. */
export async function publishEndpoints(
  client: Client,
  dialect: Dialect,
  { port, address: ownAddress = '' }: ApiServerAddress,
  allAddresses: readonly string[],
): Promise<void> {
  const metadata = { namespace: 'default', name: dialect.apiServiceName };
  const ports = [{ name: 'https', port, protocol: 'TCP' }];
  const addresses = allAddresses.filter((address) => isIPv6(address) === isIPv6(ownAddress)).sort();
  // In this order, so that a client that sees the EndpointSlice finds the Endpoints.
  await ensure(client, {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { ...metadata, labels: { [dialect.labels.endpointSliceSkipMirror]: 'true' } },
    subsets: addresses.length > 0 ? [{ addresses: addresses.map((ip) => ({ ip })), ports }] : [],
  });
  await ensure(client, {
    apiVersion: dialect.apiVersion('discovery', 'v1'),
    kind: 'EndpointSlice',
    metadata: { ...metadata, labels: { [dialect.labels.serviceName]: metadata.name } },
    addressType: isIPv6(ownAddress) ? 'IPv6' : 'IPv4',
    endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
    ports,
  });
}

/** Creates the object, or updates the fields of the existing one that `desired` has; of the Service only its ports. */
async function ensure(client: Client, desired: Manifest): Promise<void> {
  const { apiVersion, kind, metadata } = desired;
  const { namespace = '', name = '' } = metadata;
  let existing: ApiObject;
  try {
    existing = await client.get({ apiVersion, kind, namespace, name });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 404)) throw error;
    await client.create(desired).catch(ignoreConflict);
    return;
  }
  const serviceSpec = desired.spec as { readonly ports: unknown } | undefined;
  const changedSpec = serviceSpec && {
    spec: { ...(existing.spec as object), ports: serviceSpec.ports },
  };
  // The server stores nothing if the update changes nothing.
  await client
    .update({ ...existing, ...desired, ...changedSpec, metadata: existing.metadata })
    .catch(ignoreConflict);
}

/** Another replica created or updated it concurrently, with the same content. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 409)) throw error;
}
