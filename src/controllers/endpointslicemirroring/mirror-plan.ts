// endpointslice-mirroring-controller: decides which EndpointSlices mirror an Endpoints object (upstream: reconciler.go).
import type { EndpointAddress, Endpoints } from '../../apis/core/endpoints.ts';
import { Endpoint, type EndpointPort, type EndpointSlice } from '../../apis/discovery/endpointslice.ts';
import { formatIp, type IpFamily, parseIp } from '../../base/ip-address.ts';
import { isSemanticallyEqual } from '../../schema/semantic-equality.ts';

/** Upstream's default of --mirroring-max-endpoints-per-subset. */
export const maxEndpointsPerSubset = 1000;

type Texts = Readonly<Record<string, string>>;

export interface MirroredSlice {
  readonly addressType: IpFamily;
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

export interface MirrorPlan {
  readonly toCreate: readonly MirroredSlice[];
  readonly toUpdate: readonly { readonly slice: EndpointSlice; readonly content: MirroredSlice }[];
  readonly toDelete: readonly EndpointSlice[];
  /** Addresses that are not mirrored: those that are no IP address, and those above the limit. */
  readonly invalidAddresses: number;
  readonly surplusAddresses: number;
}

/** `labels` and `annotations` are those of the slices. Each address type and set of ports has one slice. */
export function planMirror(
  { subsets = [] }: Endpoints,
  existing: readonly EndpointSlice[],
  labels: Texts,
  annotations: Texts,
): MirrorPlan {
  const desired = new Map<string, { content: MirroredSlice; endpoints: Map<string, Endpoint> }>();
  let [invalidAddresses, surplusAddresses] = [0, 0];
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of subsets) {
    const candidates = [
      ...addresses.map((address) => endpointOf(address, true)),
      ...notReadyAddresses.map((address) => endpointOf(address, false)),
    ];
    const valid = candidates.filter((candidate) => candidate !== undefined);
    invalidAddresses += candidates.length - valid.length;
    surplusAddresses += Math.max(0, valid.length - maxEndpointsPerSubset);
    for (const { addressType, endpoint } of valid.slice(0, maxEndpointsPerSubset)) {
      const slicePorts = ports.map(({ name = '', ...rest }): EndpointPort => ({ name, ...rest }));
      const key = sliceKey(addressType, slicePorts);
      const group = desired.get(key) ?? {
        content: { addressType, ports: slicePorts, endpoints: [] },
        endpoints: new Map<string, Endpoint>(),
      };
      group.endpoints.set(endpointKey(endpoint), endpoint);
      desired.set(key, group);
    }
  }
  const unused = new Set(existing);
  const toCreate: MirroredSlice[] = [];
  const toUpdate: { slice: EndpointSlice; content: MirroredSlice }[] = [];
  for (const [key, { content, endpoints }] of desired) {
    const whole = { ...content, endpoints: [...endpoints.values()] };
    const slice = existing.find(({ addressType, ports = [] }) => sliceKey(addressType, ports) === key);
    if (!slice) toCreate.push(whole);
    else {
      unused.delete(slice);
      const isCurrent =
        hasEndpoints(slice, endpoints) &&
        hasTexts(slice.metadata.labels, labels) &&
        hasTexts(slice.metadata.annotations, annotations);
      if (!isCurrent) toUpdate.push({ slice, content: whole });
    }
  }
  // An update instead of a creation and a deletion.
  const created = toCreate.filter((content) => {
    const slice = [...unused].find(({ addressType }) => addressType === content.addressType);
    if (slice) {
      unused.delete(slice);
      toUpdate.push({ slice, content });
    }
    return !slice;
  });
  return { toCreate: created, toUpdate, toDelete: [...unused], invalidAddresses, surplusAddresses };
}

/** Undefined if the address is not an IP address. */
function endpointOf(
  { ip, hostname, nodeName, targetRef }: EndpointAddress,
  ready: boolean,
): { addressType: IpFamily; endpoint: Endpoint } | undefined {
  const parsed = parseIp(ip);
  if (!parsed) return undefined;
  const endpoint: Endpoint = {
    addresses: [formatIp(parsed)],
    conditions: { ready },
    ...(hostname && { hostname }),
    ...(nodeName !== undefined && { nodeName }),
    ...(targetRef && { targetRef }),
  };
  return { addressType: parsed.family, endpoint };
}

function sliceKey(addressType: string, ports: readonly EndpointPort[]): string {
  const keys = ports.map(({ name = '', protocol, port, appProtocol }) =>
    JSON.stringify([name, protocol, port, appProtocol]),
  );
  return JSON.stringify([addressType, ...keys.sort()]);
}

/** What makes an endpoint the same one. */
const endpointKey = ({ addresses = [], hostname, nodeName, targetRef }: Endpoint) =>
  JSON.stringify([addresses, hostname, nodeName, targetRef?.uid]);

function hasEndpoints({ endpoints = [] }: EndpointSlice, desired: ReadonlyMap<string, Endpoint>): boolean {
  return (
    endpoints.length === desired.size &&
    endpoints.every((endpoint) => {
      const match = desired.get(endpointKey(endpoint));
      return match !== undefined && isSemanticallyEqual(Endpoint, endpoint, match);
    })
  );
}

function hasTexts(current: Texts | undefined, desired: Texts): boolean {
  const entries = Object.entries(current ?? {});
  return (
    entries.length === Object.keys(desired).length && entries.every(([key, value]) => desired[key] === value)
  );
}
