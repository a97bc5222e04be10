// EndpointSlice controller: decides which EndpointSlices of a Service to create, update and delete (upstream: reconciler.go).
import { Endpoint, type EndpointPort, type EndpointSlice } from '../../apis/discovery/endpointslice.ts';
import { isSemanticallyEqual } from '../../schema/semantic-equality.ts';
import { sortSlicePorts } from './port-order.ts';

/** Upstream's default of --max-endpoints-per-slice. */
export const maxEndpointsPerSlice = 100;

/** Endpoints with the same ports. */
export interface EndpointGroup {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

export interface SliceContent extends EndpointGroup {
  readonly labels: Readonly<Record<string, string>>;
}

export interface SlicePlan {
  readonly toCreate: readonly SliceContent[];
  readonly toUpdate: readonly { readonly slice: EndpointSlice; readonly content: SliceContent }[];
  readonly toDelete: readonly EndpointSlice[];
}

/** A slice whose content is being planned; `slice` is undefined if it is to be created. */
interface PlannedSlice {
  readonly slice: EndpointSlice | undefined;
  readonly ports: readonly EndpointPort[];
  endpoints: Endpoint[];
  isChanged: boolean;
}

/**
 * Plans the slices of one address type. `existing` are those that the Service owns. Endpoints stay in their slice, so that few
 * slices change; without endpoints there is one empty slice.
 */
export function planSlices(
  groups: readonly EndpointGroup[],
  existing: readonly EndpointSlice[],
  labels: Readonly<Record<string, string>>,
): SlicePlan {
  const planned = mergeGroups(groups).flatMap((group) => {
    const key = portsKey(group.ports);
    return planGroup(
      group,
      existing.filter(({ ports = [] }) => portsKey(ports) === key),
      labels,
    );
  });
  const kept = planned.filter(({ endpoints }) => endpoints.length > 0);
  const isKept = new Set(kept.map(({ slice }) => slice));
  const unused = existing.filter((slice) => !isKept.has(slice));
  if (kept.length === 0) {
    const placeholder = unused.find((slice) => isPlaceholder(slice) && hasLabels(slice, labels));
    kept.push({ slice: placeholder, ports: [], endpoints: [], isChanged: placeholder === undefined });
    if (placeholder) unused.splice(unused.indexOf(placeholder), 1);
  }
  const changed = kept
    .filter(({ isChanged }) => isChanged)
    .map(({ slice, ports, endpoints }) => ({
      // An update instead of a creation and a deletion.
      slice: slice ?? unused.shift(),
      content: { ports, endpoints, labels },
    }));
  return {
    toCreate: changed.filter(({ slice }) => !slice).map(({ content }) => content),
    toUpdate: changed.flatMap(({ slice, content }) => (slice ? [{ slice, content }] : [])),
    toDelete: unused,
  };
}

function planGroup(
  { ports, endpoints }: EndpointGroup,
  existing: readonly EndpointSlice[],
  labels: Readonly<Record<string, string>>,
): PlannedSlice[] {
  const missing = new Map(endpoints.map((endpoint) => [endpointKey(endpoint), endpoint]));
  const slices = existing.map((slice) => planExisting(slice, missing, labels));
  const changed = slices.filter(({ isChanged, endpoints }) => isChanged && endpoints.length > 0);
  // Slices that are written anyway take new endpoints first, the fullest ones first.
  for (const slice of changed.toSorted((a, b) => b.endpoints.length - a.endpoints.length))
    fill(slice, missing);
  while (missing.size > 0) {
    const room = slices.filter(
      ({ isChanged, endpoints }) => !isChanged && endpoints.length + missing.size <= maxEndpointsPerSlice,
    );
    const [fullest] = room.toSorted((a, b) => b.endpoints.length - a.endpoints.length);
    const slice = fullest ?? { slice: undefined, ports, endpoints: [], isChanged: true };
    if (!fullest) slices.push(slice);
    fill(slice, missing);
  }
  return slices;
}

/** Keeps the endpoints of a slice that are still desired, and removes them from `missing`. */
function planExisting(
  slice: EndpointSlice,
  missing: Map<string, Endpoint>,
  labels: Readonly<Record<string, string>>,
): PlannedSlice {
  const { endpoints: oldEndpoints = [], ports = [] } = slice;
  const endpoints: Endpoint[] = [];
  let isChanged = !hasLabels(slice, labels);
  for (const old of oldEndpoints) {
    const key = endpointKey(old);
    const desired = missing.get(key);
    if (desired) endpoints.push(desired);
    if (!desired || !isSemanticallyEqual(Endpoint, old, desired)) isChanged = true;
    missing.delete(key);
  }
  return { slice, ports, endpoints, isChanged };
}

function fill(slice: PlannedSlice, missing: Map<string, Endpoint>): void {
  for (const [key, endpoint] of missing) {
    if (slice.endpoints.length >= maxEndpointsPerSlice) return;
    slice.endpoints.push(endpoint);
    slice.isChanged = true;
    missing.delete(key);
  }
}

/** One group for each set of ports. */
function mergeGroups(groups: readonly EndpointGroup[]): EndpointGroup[] {
  const merged = new Map<string, { ports: readonly EndpointPort[]; endpoints: Endpoint[] }>();
  for (const { ports, endpoints } of groups) {
    const key = portsKey(ports);
    const group = merged.get(key);
    if (group) group.endpoints.push(...endpoints);
    else merged.set(key, { ports: sortSlicePorts(ports), endpoints: [...endpoints] });
  }
  return [...merged.values()];
}

function portsKey(ports: readonly EndpointPort[]): string {
  const keys = ports.map(({ name = '', protocol, port, appProtocol }) =>
    JSON.stringify([name, protocol, port, appProtocol]),
  );
  return JSON.stringify(keys.sort());
}

/** What makes an endpoint the same one. */
const endpointKey = ({ targetRef, addresses = [], hostname }: Endpoint) =>
  JSON.stringify([targetRef?.uid, addresses, hostname]);

const isPlaceholder = ({ endpoints = [], ports = [] }: EndpointSlice) =>
  endpoints.length === 0 && ports.length === 0;

function hasLabels({ metadata }: EndpointSlice, labels: Readonly<Record<string, string>>): boolean {
  const current = Object.entries(metadata.labels ?? {});
  return (
    current.length === Object.keys(labels).length && current.every(([name, value]) => labels[name] === value)
  );
}
