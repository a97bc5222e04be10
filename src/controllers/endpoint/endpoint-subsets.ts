// Endpoints controller: the subsets of an Endpoints object (upstream: RepackSubsets and truncateEndpoints).
import type { EndpointAddress, Endpoints } from '../../apis/core/endpoints.ts';
import { sortPorts, sortSubsets } from './subset-order.ts';

type EndpointSubset = NonNullable<Endpoints['subsets']>[number];
type EndpointPort = NonNullable<EndpointSubset['ports']>[number];

/** Addresses that Endpoints have at most. */
const maxAddresses = 1000;

/** An address with the ports of its pod. */
export interface PodAddress {
  readonly address: EndpointAddress;
  readonly isReady: boolean;
  readonly ports: readonly EndpointPort[];
}

/** The addresses that have one port, or no port at all. */
interface PortAddresses {
  readonly port: EndpointPort | undefined;
  readonly pods: PodAddress[];
}

/** Ports with the same addresses are in one subset, so an address whose ports others lack is in several. */
export function packSubsets(addresses: readonly PodAddress[]): EndpointSubset[] {
  const byPort = new Map<string, PortAddresses>();
  for (const pod of addresses) {
    for (const port of pod.ports.length > 0 ? pod.ports : [undefined]) {
      const entry = byPort.get(portKey(port));
      if (entry) entry.pods.push(pod);
      else byPort.set(portKey(port), { port, pods: [pod] });
    }
  }
  const subsets = new Map<string, PortAddresses[]>();
  for (const entry of byPort.values()) {
    const key = entry.pods.map(podKey).sort().join('\n');
    subsets.set(key, [...(subsets.get(key) ?? []), entry]);
  }
  return sortSubsets([...subsets.values()].map(subsetOf));
}

function subsetOf(entries: readonly PortAddresses[]): EndpointSubset {
  const { pods } = entries[0]!;
  const ports = sortPorts(entries.flatMap(({ port }) => port ?? []));
  const ready = addressesIn(pods, true);
  const notReady = addressesIn(pods, false);
  return {
    ...(ready.length > 0 && { addresses: ready }),
    ...(notReady.length > 0 && { notReadyAddresses: notReady }),
    ...(ports.length > 0 && { ports }),
  };
}

const portKey = (port: EndpointPort | undefined) =>
  port ? JSON.stringify([port.name ?? '', port.protocol, port.port, port.appProtocol]) : '';
const addressKey = ({ ip, targetRef }: EndpointAddress) => `${ip} ${targetRef?.uid}`;
const podKey = ({ address, isReady }: PodAddress) => `${addressKey(address)} ${isReady}`;

function addressesIn(pods: readonly PodAddress[], isReady: boolean): EndpointAddress[] {
  return pods
    .filter((pod) => pod.isReady === isReady)
    .map(({ address }) => address)
    .sort((a, b) => (addressKey(a) < addressKey(b) ? -1 : 1));
}

/**
 * Keeps at most `limit` addresses: ready ones first, and of each subset in proportion to its size. Returns the same list if none is left
 * out.
 */
export function truncateSubsets(
  subsets: readonly EndpointSubset[],
  limit = maxAddresses,
): readonly EndpointSubset[] {
  const count = (field: 'addresses' | 'notReadyAddresses') =>
    subsets.reduce((sum, subset) => sum + (subset[field] ?? []).length, 0);
  const ready = count('addresses');
  const notReady = count('notReadyAddresses');
  if (ready + notReady <= limit) return subsets;
  const truncatesReady = ready > limit;
  const total = truncatesReady ? ready : notReady;
  const room = truncatesReady ? limit : limit - ready;
  let left = room;
  return subsets.flatMap(({ addresses = [], notReadyAddresses = [], ...rest }) => {
    const candidates = truncatesReady ? addresses : notReadyAddresses;
    const kept = candidates.slice(0, Math.min(left, Math.ceil((candidates.length / total) * room)));
    left -= kept.length;
    const keptReady = truncatesReady ? kept : addresses;
    const keptNotReady = truncatesReady ? [] : kept;
    if (keptReady.length + keptNotReady.length === 0) return [];
    return [
      {
        ...(keptReady.length > 0 && { addresses: keptReady }),
        ...(keptNotReady.length > 0 && { notReadyAddresses: keptNotReady }),
        ...rest,
      },
    ];
  });
}
