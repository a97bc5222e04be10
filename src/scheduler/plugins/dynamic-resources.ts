// DynamicResources: the ResourceClaims of a pod must be allocated to devices that the node can access, or devices for them must be
// free there.
import { compileNodeSelector, type NodeMatcher } from '../../apis/core/compiled-selectors.ts';
import { isReservedFor, ownershipProblem } from '../../apis/resource/claim-consumers.ts';
import type { AllocationResult } from '../../apis/resource/resource-claim-status.ts';
import type { ResourceClaim } from '../../apis/resource/resourceclaim.ts';
import { AllocationError, DeviceAllocator } from '../../devices/allocator.ts';
import { poolsOf } from '../../devices/pools.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PendingPod } from '../cache/pod-info.ts';
import type { DeviceObjects, NodeSlice } from './device-objects.ts';
import { type FilterPlugin, PluginError, type PodFilter, type Rejection } from './plugin.ts';
import { allocationResult, claimKey, expressionsOf, requestedClaim } from './requested-claim.ts';

const reject = (reason: string): Rejection => ({
  plugin: 'DynamicResources',
  reasons: [reason],
  isUnresolvable: true,
});
const unavailable = reject('resourceclaim not available on the node');
const cannotAllocate = reject('cannot allocate all claims');
const searchEnded = reject('cannot allocate all claims: too many combinations of devices to try');

export const dynamicResources: FilterPlugin = {
  name: 'DynamicResources',
  prepare(pod, { devices }) {
    if (!devices || pod.resourceClaims.length === 0) return undefined;
    const claims = podClaims(pod, devices);
    if (typeof claims === 'string') return reject(claims);
    const problem = claims
      .map((claim) => allocationProblem(claim, devices))
      .find((each) => each !== undefined);
    return problem === undefined ? new DynamicResourcesFilter(pod, claims, devices) : reject(problem);
  },
};

/** PreEnqueue: why the pod cannot be scheduled yet; undefined if all its claims exist. */
export function waitingReason(pod: PendingPod, devices: DeviceObjects): string | undefined {
  const claims = podClaims(pod, devices);
  return typeof claims === 'string' ? claims : undefined;
}

/** The claims of a pod, or why one of them cannot be used. */
function podClaims(
  { metadata, resourceClaims }: PendingPod,
  devices: DeviceObjects,
): ResourceClaim[] | string {
  const claims: ResourceClaim[] = [];
  for (const { claimName, isNeeded, templateName } of resourceClaims) {
    if (!isNeeded) continue;
    if (claimName === undefined) return 'the ResourceClaim is not created yet';
    const claim = devices.claim(metadata.namespace ?? '', claimName);
    if (!claim) return `resourceclaim ${JSON.stringify(claimName)} not found`;
    if (claim.metadata.deletionTimestamp !== undefined) {
      return `resourceclaim ${JSON.stringify(claimName)} is being deleted`;
    }
    const problem = templateName === undefined ? undefined : ownershipProblem(claim, metadata);
    if (problem !== undefined) return problem;
    claims.push(claim);
  }
  return claims;
}

/** Why a claim cannot be allocated on any node. */
function allocationProblem(claim: ResourceClaim, devices: DeviceObjects): string | undefined {
  if (claim.status?.allocation) return undefined;
  if (devices.isPending(claim.metadata.uid ?? '')) {
    return `resource claim ${claimKey(claim)} is in the process of being allocated`;
  }
  for (const { name, alternatives } of requestedClaim(claim).requests) {
    for (const { className } of alternatives) {
      if (devices.deviceClass(className)) continue;
      return `request ${name}: device class ${className} does not exist`;
    }
  }
  return undefined;
}

class DynamicResourcesFilter implements PodFilter {
  readonly #podUid: string;
  readonly #allocated: readonly { readonly claim: ResourceClaim; readonly matches: NodeMatcher }[];
  readonly #allocator: DeviceAllocator<NodeSlice> | undefined;
  readonly #devices: DeviceObjects;
  /** Allocated claims that a checked node cannot access. */
  readonly #unavailable = new Set<ResourceClaim>();

  constructor({ uid }: PendingPod, claims: readonly ResourceClaim[], devices: DeviceObjects) {
    this.#podUid = uid;
    this.#devices = devices;
    this.#allocated = claims.flatMap((claim) => {
      const { allocation } = claim.status ?? {};
      return allocation ? { claim, matches: nodeMatcher(allocation) } : [];
    });
    const missing = claims.filter((claim) => !claim.status?.allocation);
    if (missing.length > 0) this.#allocator = allocatorFor(missing, devices);
  }

  check(node: NodeInfo): Rejection | undefined {
    const inaccessible = this.#allocated.filter(({ matches }) => !matches(node));
    if (this.#allocator && !allocateOn(node, this.#allocator, this.#devices)) {
      return this.#allocator.isExhausted ? searchEnded : cannotAllocate;
    }
    for (const { claim } of inaccessible) this.#unavailable.add(claim);
    return inaccessible.length > 0 ? unavailable : undefined;
  }

  /** An allocated claim that keeps the pod from the nodes that were rejected, and that no other pod uses. */
  claimToDeallocate(): ResourceClaim | undefined {
    return [...this.#unavailable].find((claim) => {
      const { reservedFor = [] } = claim.status ?? {};
      return reservedFor.length === 0 || (reservedFor.length === 1 && isReservedFor(claim, this.#podUid));
    });
  }
}

const nodeMatcher = ({ nodeSelector }: AllocationResult): NodeMatcher =>
  nodeSelector ? compileNodeSelector(nodeSelector) : () => true;

const allocatorFor = (claims: readonly ResourceClaim[], devices: DeviceObjects) =>
  new DeviceAllocator<NodeSlice>(claims.map(requestedClaim), {
    matcher: devices.matcher,
    classSelectors: (name) => expressionsOf(devices.deviceClass(name)?.spec.selectors),
    isAllocated: (key) => devices.isAllocated(key),
  });

function allocateOn(node: NodeInfo, allocator: DeviceAllocator<NodeSlice>, devices: DeviceObjects) {
  try {
    return allocator.allocate(poolsOf(devices.slicesFor(node)));
  } catch (error) {
    if (!(error instanceof AllocationError)) throw error;
    // The claims or classes are wrong, so that other nodes need not be checked.
    throw new PluginError(`running "DynamicResources" filter plugin: ${error.message}`);
  }
}

/** A claim that the pod gets before it is bound. */
export interface ClaimDecision {
  readonly claim: ResourceClaim;
  /** Undefined if the claim is allocated already, and only needs a reservation. */
  readonly allocation: AllocationResult | undefined;
}

/** What happens to the claims of a pod on the node that was chosen. */
export function claimDecisions(pod: PendingPod, node: NodeInfo, devices: DeviceObjects): ClaimDecision[] {
  const claims = podClaims(pod, devices);
  if (typeof claims === 'string' || claims.length === 0) return [];
  const missing = claims.filter((claim) => !claim.status?.allocation);
  const allocated = missing.length > 0 ? allocateOn(node, allocatorFor(missing, devices), devices) : [];
  const allocationOf = (claim: ResourceClaim) => {
    const found = allocated?.[missing.indexOf(claim)];
    return found && allocationResult(claim, found, (name) => devices.deviceClass(name));
  };
  return claims
    .filter((claim) => !isReservedFor(claim, pod.uid))
    .map((claim) => ({ claim, allocation: allocationOf(claim) }));
}
