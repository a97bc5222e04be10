// Endpoints controller: the subsets of an Endpoints object (upstream: RepackSubsets and truncateEndpoints).
import type { EndpointAddress, Endpoints } from '../../apis/core/endpoints.ts';

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

/** Addresses with the same ports are in one subset. The order depends only on the content. */
export function packSubsets(addresses: readonly PodAddress[]): EndpointSubset[] {
  const subsets = new Map<string, { ports: EndpointPort[]; pods: PodAddress[] }>();
  for (const pod of addresses) {
    const ports = [...pod.ports].sort((a, b) => (portKey(a) < portKey(b) ? -1 : 1));
    const key = JSON.stringify(ports.map(portKey));
    const subset = subsets.get(key);
    if (subset) subset.pods.push(pod);
    else subsets.set(key, { ports, pods: [pod] });
  }
  return [...subsets]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { ports, pods }]) => {
      const ready = addressesIn(pods, true);
      const notReady = addressesIn(pods, false);
      return {
        ...(ready.length > 0 && { addresses: ready }),
        ...(notReady.length > 0 && { notReadyAddresses: notReady }),
        ...(ports.length > 0 && { ports }),
      };
    });
}

const portKey = ({ name = '', protocol, port, appProtocol }: EndpointPort) =>
  JSON.stringify([name, protocol, port, appProtocol]);

function addressesIn(pods: readonly PodAddress[], isReady: boolean): EndpointAddress[] {
  const key = ({ ip, targetRef }: EndpointAddress) => `${ip} ${targetRef?.uid}`;
  return pods
    .filter((pod) => pod.isReady === isReady)
    .map(({ address }) => address)
    .sort((a, b) => (key(a) < key(b) ? -1 : 1));
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
