import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Cidr } from '../../base/cidr.ts';
import { ipText, isLoopback, readIp } from '../../base/ip-address.ts';
import type { Client, Manifest } from '../../client/client.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import { usable } from '../../registry/service/address-ranges.ts';

/** How this server is reached. */
export interface ApiServerAddress {
  readonly port: number;
  /** The address that its endpoints have, as upstream's --advertise-address. Undefined where the machine has none. */
  readonly address: string | undefined;
  /** It listens on loopback: the address is one of the machine, but other machines do not reach the server by it. */
  readonly isLocal?: boolean;
}

/** How a server that listens on this address is advertised. Endpoints may not be on loopback. */
export function advertisedAddress(bindAddress: string): Pick<ApiServerAddress, 'address' | 'isLocal'> {
  const ip = readIp(bindAddress);
  if (!ip || !isLoopback(ip)) return { address: publicAddress(bindAddress) };
  return { address: addressOfMachine('IPv4') ?? addressOfMachine('IPv6'), isLocal: true };
}

/** The address by which others reach a server that listens on this one. Nobody else reaches a loopback address. */
export function publicAddress(bindAddress: string): string | undefined {
  const ip = readIp(bindAddress);
  if (!ip || isLoopback(ip)) return undefined;
  return ip.value === 0n ? addressOfMachine(ip.family) : ipText(ip);
}

function addressOfMachine(wanted: 'IPv4' | 'IPv6'): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal, address }) => {
    const isLinkLocal = address.startsWith('fe80:') || address.startsWith('169.254.');
    return family === wanted && !internal && !isLinkLocal;
  })?.address;
}

/**
 * The Service by which pods find the API, with the first address of the range, and the endpoints that lead from it to
 * the servers at these addresses. Without an address that others reach there is nothing to lead to, so there are no
 * endpoints.
 */
export async function publishApiService(
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
      clusterIP: ipText({ family: range.family, value: usable(range).first }),
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }],
      sessionAffinity: 'None',
      ipFamilyPolicy: 'SingleStack',
    },
  });
  if (server.address !== undefined) await publishEndpoints(client, dialect, server, addresses);
}

/** The way to these servers alone: to those that are reached as this one is, in the same family and at the same port. */
export async function publishEndpoints(
  client: Client,
  dialect: Dialect,
  { port, address: own = '' }: ApiServerAddress,
  all: readonly string[],
): Promise<void> {
  const metadata = { namespace: 'default', name: dialect.apiServiceName };
  const ports = [{ name: 'https', port, protocol: 'TCP' }];
  const addresses = all.filter((address) => isIPv6(address) === isIPv6(own)).sort();
  // One after the other, so that whoever sees the slice finds the Endpoints.
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
    addressType: isIPv6(own) ? 'IPv6' : 'IPv4',
    endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
    ports,
  });
}

/** Makes the object, or puts what matters of it into the one that is there. */
async function ensure(client: Client, wanted: Manifest): Promise<void> {
  const { apiVersion, kind, metadata } = wanted;
  const { namespace = '', name = '' } = metadata;
  let found: ApiObject;
  try {
    found = await client.get({ apiVersion, kind, namespace, name });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 404)) throw error;
    await client.create(wanted).catch(unlessElsewhere);
    return;
  }
  const spec = wanted.spec as { readonly ports: unknown } | undefined;
  const changed = spec && { spec: { ...(found.spec as object), ports: spec.ports } };
  // What is the same is not written.
  await client.update({ ...found, ...wanted, ...changed, metadata: found.metadata }).catch(unlessElsewhere);
}

/** Another server has made or changed it in this very moment, and to the same end. */
function unlessElsewhere(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 409)) throw error;
}
