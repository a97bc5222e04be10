// Who uses a ResourceClaim: the pod that it was generated for, and the pods that it is reserved for.
import type { ObjectMetadata } from '../../kind/api-object.ts';
import type { Pod } from '../core/pod.ts';
import type { ResourceClaimConsumerReference } from './resource-claim-status.ts';
import type { ResourceClaim } from './resourceclaim.ts';

type Metadata = Pick<ObjectMetadata, 'name' | 'namespace' | 'uid'>;

/** The pod that owns a generated claim; undefined for other claims. */
export function owningPod({ metadata }: ResourceClaim): { name: string; uid: string } | undefined {
  const owner = (metadata.ownerReferences ?? []).find(({ controller }) => controller);
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Pod') return undefined;
  return { name: owner.name, uid: owner.uid };
}

/** Upstream's error about a claim that has the name of a generated one; undefined if the pod owns the claim. */
export function ownershipProblem(
  claim: ResourceClaim,
  { name, namespace, uid }: Metadata,
): string | undefined {
  if (owningPod(claim)?.uid === uid) return undefined;
  return `ResourceClaim ${namespace}/${claim.metadata.name} was not created for pod ${namespace}/${name} (pod is not owner)`;
}

export const isReservedFor = ({ status }: ResourceClaim, podUid: string | undefined) =>
  (status?.reservedFor ?? []).some(({ uid }) => uid === podUid);

export const podReference = ({ name = '', uid = '' }: Metadata): ResourceClaimConsumerReference => ({
  apiGroup: '',
  resource: 'pods',
  name,
  uid,
});

/** A pod that will not run any more, so that it needs no claims. */
export const isPodDone = ({ metadata, spec, status }: Pod) =>
  status?.phase === 'Succeeded' ||
  status?.phase === 'Failed' ||
  (metadata.deletionTimestamp !== undefined && !spec.nodeName);
