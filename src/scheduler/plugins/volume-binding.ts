// VolumeBinding: the claims of a pod must be bound to volumes that the node can access, or wait for their first consumer and
// be provisioned for the node. Claims are not bound to existing volumes here: the provisioner of their class does it.

import {
  compileNodeSelector,
  type LabelledNode,
  type NodeMatcher,
} from '../../apis/core/compiled-selectors.ts';
import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import type { TopologySelectorTerm } from '../../apis/core/topology-selector.ts';
import type { PendingPod } from '../cache/pod-info.ts';
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

/** A claim that is provisioned once a node is chosen for its pod. */
export interface DelayedClaim {
  /** `namespace/name`. */
  readonly key: string;
  readonly uid: string;
}

export const volumeBinding: FilterPlugin = {
  name: 'VolumeBinding',
  prepare(pod, { volumes }) {
    const claims: PersistentVolumeClaim[] = [];
    for (const { name, isOwned } of claimNames(pod)) {
      const claim = volumes.claim(pod.namespace, name);
      const problem = claim ? claimProblem(pod, claim, isOwned) : missingClaim(name, isOwned);
      if (problem !== undefined) return reject(problem);
      claims.push(claim!);
    }
    if (claims.length === 0) return undefined;
    const bound: (NodeMatcher | undefined)[] = [];
    const delayed: NodeMatcher[] = [];
    for (const claim of claims) {
      if (isBound(claim, volumes)) bound.push(volumeMatcher(claim, volumes));
      else if (isDelayed(claim, volumes)) delayed.push(provisioningMatcher(claim, volumes));
      else return unboundClaims;
    }
    return {
      check(node) {
        if (bound.includes(undefined)) return missingVolume;
        if (!bound.every((matches) => matches!(node))) return volumeMismatch;
        return delayed.every((matches) => matches(node)) ? undefined : bindConflict;
      },
    };
  },
};

/** The claims of a pod that wait for it to be scheduled. */
export function delayedClaims(pod: PendingPod, volumes: VolumeObjects): DelayedClaim[] {
  return claimNames(pod).flatMap(({ name }) => {
    const claim = volumes.claim(pod.namespace, name);
    if (!claim || isBound(claim, volumes)) return [];
    return { key: `${pod.namespace}/${name}`, uid: claim.metadata.uid ?? '' };
  });
}

export const isBound = ({ metadata, spec }: PersistentVolumeClaim, { names }: Pick<VolumeObjects, 'names'>) =>
  Boolean(spec.volumeName) && metadata.annotations?.[names.bindCompleted] !== undefined;

/** `isOwned`: the claim of an ephemeral volume, which belongs to the pod. */
function claimNames({ spec, name }: PendingPod): { readonly name: string; readonly isOwned: boolean }[] {
  return (spec.volumes ?? []).flatMap((volume) => {
    if (volume.ephemeral) return { name: `${name}-${volume.name}`, isOwned: true };
    const { claimName } = volume.persistentVolumeClaim ?? {};
    return claimName ? { name: claimName, isOwned: false } : [];
  });
}

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
  return classOf(claim, volumes)?.volumeBindingMode === 'WaitForFirstConsumer';
}

function classOf({ metadata, spec }: PersistentVolumeClaim, volumes: VolumeObjects) {
  const name = metadata.annotations?.[volumes.names.storageClass] ?? spec.storageClassName ?? '';
  return name === '' ? undefined : volumes.storageClass(name);
}

/** The nodes for which the volume of a delayed claim can be provisioned. */
function provisioningMatcher(claim: PersistentVolumeClaim, volumes: VolumeObjects): NodeMatcher {
  const { metadata } = claim;
  const { names } = volumes;
  const selectedNode =
    metadata.annotations?.[names.selectedNode] ??
    volumes.assumedNode(`${metadata.namespace}/${metadata.name}`);
  if (selectedNode !== undefined) return ({ name }) => name === selectedNode;
  const { provisioner = '', allowedTopologies = [] } = classOf(claim, volumes) ?? {};
  const isProvisioned = provisioner !== '' && provisioner !== names.noProvisioner;
  return (node) => isProvisioned && isInTopology(node, allowedTopologies);
}

const isInTopology = ({ labels }: LabelledNode, terms: readonly TopologySelectorTerm[]) =>
  terms.length === 0 ||
  terms.some(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.every(({ key, values = [] }) => values.includes(labels.get(key) ?? '')),
  );
