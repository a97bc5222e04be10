// A pod as the scheduler needs it, upstream's framework.PodInfo: small, because all pods of the cluster are in memory.

import {
  compileRequiredNodeAffinity,
  type LabelMap,
  type NodeMatcher,
} from '../../apis/core/compiled-selectors.ts';
import type { Pod } from '../../apis/core/pod.ts';
import { podClaims } from '../../apis/core/pod-claims.ts';
import { type PodResourceClaim, podResourceClaims } from '../../apis/core/pod-resource-claims.ts';
import { isSidecar } from '../../apis/core/pod-resources.ts';
import type { Toleration } from '../../apis/core/toleration.ts';
import { type NonZeroRequests, podNonZeroRequests, podRequests, type ResourceAmounts } from '../resources.ts';
import { type AffinityTerms, affinityTerms } from './affinity-term.ts';
import { type PodDisk, podDisks } from './pod-disks.ts';

export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

export interface PodInfo {
  /** `namespace/name`. */
  readonly key: string;
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly labels: LabelMap;
  /** '' until it is assigned. */
  readonly nodeName: string;
  readonly priority: number;
  readonly requests: ResourceAmounts;
  readonly nonZeroRequests: NonZeroRequests;
  readonly hostPorts: readonly HostPort[];
  /** The keys of its PersistentVolumeClaims. */
  readonly claims: readonly string[];
  readonly disks: readonly PodDisk[];
  readonly terms: AffinityTerms;
  readonly isTerminating: boolean;
  /** It is being deleted in favour of a pod with a higher priority. */
  readonly isPreempted: boolean;
  /** When it started; Infinity if it has not. */
  readonly startedAtMs: number;
}

/** A pod that is to be scheduled. */
export interface PendingPod extends PodInfo {
  readonly spec: Pod['spec'];
  readonly metadata: Pod['metadata'];
  readonly tolerations: readonly Toleration[];
  readonly resourceClaims: readonly PodResourceClaim[];
  /** Undefined if the pod may run on every node. */
  readonly requiredNodeAffinity: NodeMatcher | undefined;
  readonly nominatedNodeName: string;
}

export function podInfo(pod: Pod): PodInfo {
  const { metadata, spec, status } = pod;
  const { name = '', namespace = '', uid = '', labels = {}, deletionTimestamp } = metadata;
  const isTerminating = deletionTimestamp !== undefined;
  return {
    key: `${namespace}/${name}`,
    uid,
    namespace,
    name,
    labels: new Map(Object.entries(labels)),
    nodeName: spec.nodeName ?? '',
    priority: spec.priority ?? 0,
    requests: podRequests(pod),
    nonZeroRequests: podNonZeroRequests(pod),
    hostPorts: hostPorts(pod),
    claims: podClaims(name, spec).map((claim) => `${namespace}/${claim.name}`),
    disks: podDisks(spec),
    terms: affinityTerms(namespace, spec.affinity),
    isTerminating,
    isPreempted: isTerminating && isPreempted(pod),
    startedAtMs: status?.startTime ? Date.parse(status.startTime) : Number.POSITIVE_INFINITY,
  };
}

/** `nominatedNodeName` may be newer than that of the pod's status. */
export function pendingPod(pod: Pod, nominatedNodeName = pod.status?.nominatedNodeName ?? ''): PendingPod {
  const { metadata, spec } = pod;
  return {
    ...podInfo(pod),
    spec,
    metadata,
    tolerations: spec.tolerations ?? [],
    resourceClaims: podResourceClaims(pod),
    requiredNodeAffinity: compileRequiredNodeAffinity(spec),
    nominatedNodeName,
  };
}

function hostPorts({ spec }: Pod): HostPort[] {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? []).filter(isSidecar)];
  return containers.flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort = 0, hostIP, protocol }) =>
      hostPort > 0 ? { ip: hostIP || '0.0.0.0', protocol: protocol || 'TCP', port: hostPort } : [],
    ),
  );
}

function isPreempted({ status }: Pod): boolean {
  const condition = status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
  return condition?.status === 'True' && condition.reason === 'PreemptionByScheduler';
}
