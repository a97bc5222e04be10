// DynamicResources: what the spec of a ResourceClaim requests, in the form of the allocator, and the result in that of the API.
import type { NodeSelector } from '../../apis/core/node-selector.ts';
import type { DeviceSelector } from '../../apis/resource/device-parts.ts';
import type { DeviceClass } from '../../apis/resource/deviceclass.ts';
import type { DeviceRequest, DeviceSubRequest } from '../../apis/resource/resource-claim-spec.ts';
import type {
  AllocationResult,
  DeviceAllocationConfiguration,
} from '../../apis/resource/resource-claim-status.ts';
import type { ResourceClaim } from '../../apis/resource/resourceclaim.ts';
import type { AllocatedDevice } from '../../devices/allocator.ts';
import type { ClaimRequest, RequestedClaim, RequestedDevices } from '../../devices/claim-requests.ts';
import type { NodeSlice } from './device-objects.ts';

export const claimKey = ({ metadata }: ResourceClaim) => `${metadata.namespace}/${metadata.name}`;

export function requestedClaim(claim: ResourceClaim): RequestedClaim {
  const { requests, constraints = [] } = claim.spec.devices ?? {};
  return {
    key: claimKey(claim),
    // A list that is not omitted when empty may be null.
    requests: (requests ?? []).map(claimRequest),
    constraints: constraints.map(({ requests: covered = [], matchAttribute = '' }) => ({
      requests: covered,
      attribute: matchAttribute,
    })),
  };
}

function claimRequest(request: DeviceRequest): ClaimRequest {
  const { name, firstAvailable = [], adminAccess = false } = request;
  const alternatives =
    firstAvailable.length === 0
      ? [requestedDevices(name, request, adminAccess)]
      : firstAvailable.map((subrequest) => requestedDevices(`${name}/${subrequest.name}`, subrequest, false));
  return { name, alternatives };
}

const requestedDevices = (
  name: string,
  { deviceClassName = '', selectors, allocationMode, count = 1 }: DeviceRequest | DeviceSubRequest,
  hasAdminAccess: boolean,
): RequestedDevices => ({
  name,
  className: deviceClassName,
  selectors: expressionsOf(selectors),
  count: allocationMode === 'All' ? 'all' : Number(count),
  hasAdminAccess,
});

export const expressionsOf = (selectors: readonly DeviceSelector[] | undefined): string[] =>
  (selectors ?? []).flatMap(({ cel }) => cel?.expression ?? []);

/** The allocation of a claim: devices, configuration of their classes and of the claim, and the nodes that can access them. */
export function allocationResult(
  { spec }: ResourceClaim,
  allocated: readonly AllocatedDevice<NodeSlice>[],
  classOf: (name: string) => DeviceClass | undefined,
): AllocationResult {
  const results = allocated.map(({ requested, device }) => ({
    request: requested.name,
    driver: device.driver,
    pool: device.pool,
    device: device.name,
    ...(requested.hasAdminAccess && { adminAccess: true }),
  }));
  const requestsByClass = new Map<string, Set<string>>();
  for (const { requested } of allocated) {
    const requests = requestsByClass.get(requested.className) ?? new Set();
    requestsByClass.set(requested.className, requests.add(requested.name));
  }
  const ofClasses = [...requestsByClass].flatMap(([className, requests]) =>
    (classOf(className)?.spec.config ?? []).map(
      (config): DeviceAllocationConfiguration => ({
        source: 'FromClass',
        requests: [...requests],
        ...config,
      }),
    ),
  );
  const ofClaim = (spec.devices?.config ?? []).map(
    (config): DeviceAllocationConfiguration => ({ source: 'FromClaim', ...config }),
  );
  const config = [...ofClasses, ...ofClaim];
  const nodeSelector = nodeSelectorOf(allocated.map(({ slice }) => slice));
  return {
    devices: { ...(results.length > 0 && { results }), ...(config.length > 0 && { config }) },
    ...(nodeSelector && { nodeSelector }),
  } as AllocationResult;
}

/** The nodes that can access the devices of all slices; undefined for all nodes. */
function nodeSelectorOf(slices: readonly NodeSlice[]): NodeSelector | undefined {
  const local = slices.find(({ nodeName }) => nodeName !== '');
  if (local) {
    const name = { key: 'metadata.name', operator: 'In', values: [local.nodeName] };
    return { nodeSelectorTerms: [{ matchFields: [name] }] } as NodeSelector;
  }
  // A slice has one term. The requirements of all terms must be met.
  const terms = slices.flatMap(({ nodeSelector }) => nodeSelector?.nodeSelectorTerms ?? []);
  const matchFields = distinct(terms.flatMap((term) => term.matchFields ?? []));
  const matchExpressions = distinct(terms.flatMap((term) => term.matchExpressions ?? []));
  if (matchFields.length === 0 && matchExpressions.length === 0) return undefined;
  const term = {
    ...(matchExpressions.length > 0 && { matchExpressions }),
    ...(matchFields.length > 0 && { matchFields }),
  };
  return { nodeSelectorTerms: [term] } as NodeSelector;
}

const distinct = <T>(values: readonly T[]): T[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];
