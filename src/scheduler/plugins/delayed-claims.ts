// VolumeBinding: which volumes the claims of a pod that wait for their first consumer get on a node: existing ones, or ones that are to
// be provisioned.
import type { LabelledNode, NodeMatcher } from '../../apis/core/compiled-selectors.ts';
import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import type { TopologySelectorTerm } from '../../apis/core/topology-selector.ts';
import { isVolumeOfClaim, storageClassOf } from '../../apis/core/volume-binding.ts';
import {
  fitsRequest,
  type VolumeCandidate,
  type VolumeRequest,
  volumeCandidate,
  volumeRequest,
} from '../../controllers/persistentvolume/available-volumes.ts';
import { compareQuantities } from '../../schema/quantity.ts';
import type { VolumeObjects } from './volume-objects.ts';

export interface DelayedClaim {
  /** `namespace/name`. */
  readonly key: string;
  readonly uid: string;
}

/** What happens to the claims of a pod before it is bound to a node. */
export interface VolumeDecisions {
  readonly bindings: readonly { readonly claim: DelayedClaim; readonly volumeName: string }[];
  readonly provisions: readonly DelayedClaim[];
}

/** A claim with what all nodes have in common. */
interface PreparedClaim extends DelayedClaim {
  readonly request: VolumeRequest;
  /** The node for which it is provisioned already. */
  readonly selectedNode: string | undefined;
  /** The volume that is reserved for it, or being bound to it. */
  readonly reserved: VolumeCandidate | undefined;
  /** The nodes for which a volume can be provisioned. */
  readonly canProvision: NodeMatcher;
}

/** Returns a function that decides for a node; it returns undefined if a claim gets no volume there. */
export function delayedClaims(
  claims: readonly PersistentVolumeClaim[],
  volumes: VolumeObjects,
): (node: LabelledNode) => VolumeDecisions | undefined {
  const prepared = claims
    .map((claim) => prepareClaim(claim, volumes))
    // The smallest claims choose first, so that a large volume is left for a large claim.
    .sort((one, other) => compareQuantities(one.request.capacity, other.request.capacity));
  return (node) => {
    const chosen = new Set<string>();
    const bindings: { claim: DelayedClaim; volumeName: string }[] = [];
    const provisions: DelayedClaim[] = [];
    for (const claim of prepared) {
      if (claim.selectedNode !== undefined && claim.selectedNode !== node.name) return undefined;
      const volume = claim.selectedNode === undefined ? findVolume(claim, node, volumes, chosen) : undefined;
      if (volume) {
        chosen.add(volume.name);
        bindings.push({ claim, volumeName: volume.name });
      } else if (claim.canProvision(node)) provisions.push(claim);
      else return undefined;
    }
    return { bindings, provisions };
  };
}

function findVolume(
  { request, reserved }: PreparedClaim,
  node: LabelledNode,
  volumes: VolumeObjects,
  chosen: ReadonlySet<string>,
): VolumeCandidate | undefined {
  if (reserved) return !reserved.matchesNode || reserved.matchesNode(node) ? reserved : undefined;
  const isExcluded = (name: string) => chosen.has(name) || volumes.isAssumed(name);
  return volumes.available.smallestOnNode(request, node, isExcluded);
}

function prepareClaim(claim: PersistentVolumeClaim, volumes: VolumeObjects): PreparedClaim {
  const { metadata } = claim;
  const { names } = volumes;
  const key = `${metadata.namespace}/${metadata.name}`;
  const request = volumeRequest(claim, names);
  return {
    key,
    uid: metadata.uid ?? '',
    request,
    selectedNode: metadata.annotations?.[names.selectedNode] ?? volumes.assumedNode(key),
    reserved: reservedVolume(key, claim, request, volumes),
    canProvision: provisioningMatcher(claim, volumes),
  };
}

function reservedVolume(
  key: string,
  claim: PersistentVolumeClaim,
  request: VolumeRequest,
  volumes: VolumeObjects,
): VolumeCandidate | undefined {
  const assumedName = volumes.assumedVolume(key);
  const assumed = assumedName === undefined ? undefined : volumes.volume(assumedName);
  if (assumed) return volumeCandidate(assumed, volumes.names);
  return volumes
    .volumesReferringTo(key)
    .filter((volume) => volume.metadata.deletionTimestamp === undefined && isVolumeOfClaim(volume, claim))
    .map((volume) => volumeCandidate(volume, volumes.names))
    .find((candidate) => candidate.className === request.className && fitsRequest(candidate, request));
}

function provisioningMatcher(claim: PersistentVolumeClaim, volumes: VolumeObjects): NodeMatcher {
  const { names } = volumes;
  const { provisioner = '', allowedTopologies = [] } =
    volumes.storageClass(storageClassOf(claim, names)) ?? {};
  const isProvisioned = provisioner !== '' && provisioner !== names.noProvisioner;
  return (node) => isProvisioned && isInTopology(node, allowedTopologies);
}

const isInTopology = ({ labels }: LabelledNode, terms: readonly TopologySelectorTerm[]) =>
  terms.length === 0 ||
  terms.some(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.every(({ key, values = [] }) => values.includes(labels.get(key) ?? '')),
  );
