// VolumeBinding: the claims of a pod must be bound to volumes that the node can access, or wait for their first consumer and
// get a volume on the node, an existing or a provisioned one.

import { compileNodeSelector, type NodeMatcher } from '../../apis/core/compiled-selectors.ts';
import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import { podClaims } from '../../apis/core/pod-claims.ts';
import { storageClassOf } from '../../apis/core/volume-binding.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PendingPod } from '../cache/pod-info.ts';
import { delayedClaims, type VolumeDecisions } from './delayed-claims.ts';
import type { FilterPlugin, Rejection } from './plugin.ts';
import type { VolumeObjects } from './volume-objects.ts';

const reject = (reason: string): Rejection => ({
  plugin: 'VolumeBinding',
  reasons: [reason],
  isUnresolvable: true,
});
const unboundClaims = reject('pod has unbound immediate PersistentVolumeClaims');
const missingVolume = reject('node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)');
const volumeMismatch = reject("node(s) didn't match PersistentVolume's node affinity");
const bindConflict = reject("node(s) didn't find available persistent volumes to bind");

export const volumeBinding: FilterPlugin = {
  name: 'VolumeBinding',
  prepare(pod, { volumes }) {
    const claims: PersistentVolumeClaim[] = [];
    for (const { name, isOwned } of podClaims(pod.name, pod.spec)) {
      const claim = volumes.claim(pod.namespace, name);
      const problem = claim ? claimProblem(pod, claim, isOwned) : missingClaim(name, isOwned);
      if (problem !== undefined) return reject(problem);
      claims.push(claim!);
    }
    if (claims.length === 0) return undefined;
    const bound: (NodeMatcher | undefined)[] = [];
    const delayed: PersistentVolumeClaim[] = [];
    for (const claim of claims) {
      if (isBound(claim, volumes)) bound.push(volumeMatcher(claim, volumes));
      else if (isDelayed(claim, volumes)) delayed.push(claim);
      else return unboundClaims;
    }
    const decide = delayed.length > 0 ? delayedClaims(delayed, volumes) : undefined;
    return {
      check(node) {
        if (bound.includes(undefined)) return missingVolume;
        if (!bound.every((matches) => matches!(node))) return volumeMismatch;
        return !decide || decide(node) ? undefined : bindConflict;
      },
    };
  },
};

/** What happens to the claims of a pod that wait for it to be scheduled, on the node that was chosen. */
export function volumeDecisions(pod: PendingPod, node: NodeInfo, volumes: VolumeObjects): VolumeDecisions {
  const delayed = podClaims(pod.name, pod.spec).flatMap(({ name }) => {
    const claim = volumes.claim(pod.namespace, name);
    return claim && !isBound(claim, volumes) && isDelayed(claim, volumes) ? claim : [];
  });
  const none = { bindings: [], provisions: [] };
  return delayed.length === 0 ? none : (delayedClaims(delayed, volumes)(node) ?? none);
}

export const isBound = ({ metadata, spec }: PersistentVolumeClaim, { names }: Pick<VolumeObjects, 'names'>) =>
  Boolean(spec.volumeName) && metadata.annotations?.[names.bindCompleted] !== undefined;

const missingClaim = (name: string, isOwned: boolean) =>
  isOwned
    ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`
    : `persistentvolumeclaim "${name}" not found`;

function claimProblem(
  pod: PendingPod,
  { metadata, spec, status }: PersistentVolumeClaim,
  isOwned: boolean,
): string | undefined {
  const { name = '', ownerReferences = [], deletionTimestamp } = metadata;
  if (status?.phase === 'Lost') {
    return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${spec.volumeName ?? ''}"`;
  }
  if (deletionTimestamp !== undefined) return `persistentvolumeclaim "${name}" is being deleted`;
  if (!isOwned || ownerReferences.some(({ controller, uid }) => controller && uid === pod.uid))
    return undefined;
  return `PVC ${pod.namespace}/${name} was not created for pod ${pod.key} (pod is not owner)`;
}

/** The nodes that can access the volume of a bound claim; undefined if the volume does not exist. */
function volumeMatcher({ spec }: PersistentVolumeClaim, volumes: VolumeObjects): NodeMatcher | undefined {
  const volume = volumes.volume(spec.volumeName ?? '');
  if (!volume) return undefined;
  const required = volume.spec.nodeAffinity?.required;
  return required ? compileNodeSelector(required) : () => true;
}

/** A claim that names its volume but is not bound to it yet is bound immediately. */
function isDelayed(claim: PersistentVolumeClaim, volumes: VolumeObjects): boolean {
  if (claim.spec.volumeName) return false;
  const className = storageClassOf(claim, volumes.names);
  return className !== '' && volumes.storageClass(className)?.volumeBindingMode === 'WaitForFirstConsumer';
}
