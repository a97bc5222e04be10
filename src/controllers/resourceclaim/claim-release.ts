// What happens to a ResourceClaim whose consumers may be gone: reservations of pods that will not run any more are removed, devices
// without reservations are deallocated, and generated claims of such pods are deleted.
import type { Pod } from '../../apis/core/pod.ts';
import { isPodDone, owningPod } from '../../apis/resource/claim-consumers.ts';
import type { ResourceClaimConsumerReference } from '../../apis/resource/resource-claim-status.ts';
import type { ResourceClaim } from '../../apis/resource/resourceclaim.ts';

export interface ClaimRelease {
  /** The remaining reservations; undefined if none is removed. */
  readonly reservedFor: readonly ResourceClaimConsumerReference[] | undefined;
  /** Clears `status.allocation`: the devices are free. */
  readonly deallocates: boolean;
  readonly removesFinalizer: boolean;
  readonly deletesClaim: boolean;
}

/** `findPod` returns the pod of this name in the namespace of the claim. */
export function planRelease(
  claim: ResourceClaim,
  finalizer: string,
  findPod: (name: string) => Pod | undefined,
): ClaimRelease {
  const { metadata, status } = claim;
  const reserved = status?.reservedFor ?? [];
  const remaining = reserved.filter((reference) => isConsuming(reference, findPod));
  const isReleased = remaining.length < reserved.length;
  const isTerminating = metadata.deletionTimestamp !== undefined;
  // Only an allocation of the scheduler has the finalizer.
  const hasFinalizer = (metadata.finalizers ?? []).includes(finalizer);
  const freesDevices = hasFinalizer && remaining.length === 0 && (isReleased || isTerminating);
  return {
    reservedFor: isReleased ? remaining : undefined,
    deallocates: freesDevices && status?.allocation !== undefined,
    removesFinalizer: freesDevices,
    deletesClaim: remaining.length === 0 && !isTerminating && isOwnerDone(claim, findPod),
  };
}

/** Consumers of other kinds are not known, and keep their reservation. */
function isConsuming(
  { apiGroup, resource, name, uid }: ResourceClaimConsumerReference,
  findPod: (name: string) => Pod | undefined,
): boolean {
  if (apiGroup || resource !== 'pods') return true;
  const pod = findPod(name);
  return pod?.metadata.uid === uid && !isPodDone(pod);
}

/** The pod of a generated claim has ended or was replaced. If it was deleted, garbage collection deletes the claim. */
function isOwnerDone(claim: ResourceClaim, findPod: (name: string) => Pod | undefined): boolean {
  const owner = owningPod(claim);
  const pod = owner && findPod(owner.name);
  return pod !== undefined && (pod.metadata.uid !== owner!.uid || isPodDone(pod));
}
