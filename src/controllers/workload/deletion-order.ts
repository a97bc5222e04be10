// The order in which pods are deleted when a workload is scaled down (upstream: ActivePodsWithRanks).
import type { Pod } from '../../apis/core/pod.ts';
import { isReady } from '../../apis/core/pod-conditions.ts';
import { isActive, readySinceMs } from './pod-availability.ts';

export interface DeletionOrderOptions {
  /** All pods of the owner of the workload, such as those of the other ReplicaSets of a Deployment. */
  readonly relatedPods: readonly Pod[];
  /** The annotation with the deletion cost of a pod; undefined if its feature gate is disabled. */
  readonly costAnnotation: string | undefined;
  readonly now: number;
}

/** Chooses `count` pods to delete, those that are worth the least. */
export function choosePodsToDelete(
  pods: readonly Pod[],
  count: number,
  options: DeletionOrderOptions,
): readonly Pod[] {
  if (count >= pods.length) return pods;
  const ranked = rank(pods, options);
  return ranked
    .toSorted(comparePods)
    .map(({ pod }) => pod)
    .slice(0, count);
}

/** A pod with the properties that it is compared by. */
interface RankedPod {
  readonly pod: Pod;
  readonly nodeName: string;
  readonly phase: number;
  readonly isReady: boolean;
  readonly cost: number;
  /** The number of related pods on the same node. */
  readonly relatedOnNode: number;
  readonly readyAge: Age;
  readonly restarts: Restarts;
  readonly age: Age;
}

/** Ages are compared by powers of two, so that it does not matter which of many pods of about the same age is the youngest. */
interface Age {
  /** undefined if the time is not known. */
  readonly sinceMs: number | undefined;
  readonly magnitude: number;
}

interface Restarts {
  readonly regular: number;
  readonly sidecar: number;
}

function rank(pods: readonly Pod[], options: DeletionOrderOptions): RankedPod[] {
  const { relatedPods, costAnnotation, now } = options;
  const podsByNode = new Map<string, number>();
  for (const pod of relatedPods.filter(isActive)) {
    const { nodeName = '' } = pod.spec;
    podsByNode.set(nodeName, (podsByNode.get(nodeName) ?? 0) + 1);
  }
  return pods.map((pod) => {
    const { nodeName = '' } = pod.spec;
    const { creationTimestamp } = pod.metadata;
    return {
      pod,
      nodeName,
      phase: phaseOrder[pod.status.phase ?? ''] ?? 0,
      isReady: isReady(pod.status),
      cost: deletionCost(pod, costAnnotation),
      relatedOnNode: podsByNode.get(nodeName) ?? 0,
      readyAge: ageOf(readySinceMs(pod), now),
      restarts: maxRestarts(pod),
      age: ageOf(creationTimestamp ? Date.parse(creationTimestamp) : undefined, now),
    };
  });
}

const phaseOrder: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/** Negative if `a` is to be deleted before `b`. */
function comparePods(a: RankedPod, b: RankedPod): number {
  return (
    Number(a.nodeName !== '') - Number(b.nodeName !== '') ||
    a.phase - b.phase ||
    Number(a.isReady) - Number(b.isReady) ||
    a.cost - b.cost ||
    b.relatedOnNode - a.relatedOnNode ||
    (a.isReady ? compareAges(a, b, a.readyAge, b.readyAge) : 0) ||
    b.restarts.regular - a.restarts.regular ||
    b.restarts.sidecar - a.restarts.sidecar ||
    compareAges(a, b, a.age, b.age)
  );
}

/** Pods whose time is not known come first, then the younger ones. Those of the same magnitude are ordered by uid. */
function compareAges(a: RankedPod, b: RankedPod, ageA: Age, ageB: Age): number {
  if (ageA.sinceMs === ageB.sinceMs) return 0;
  if (ageA.sinceMs === undefined) return -1;
  if (ageB.sinceMs === undefined) return 1;
  return ageA.magnitude - ageB.magnitude || (a.pod.metadata.uid! < b.pod.metadata.uid! ? -1 : 1);
}

/** Upstream takes the logarithm of nanoseconds. */
function ageOf(sinceMs: number | undefined, now: number): Age {
  const ageNs = (now - (sinceMs ?? now)) * 1e6;
  return { sinceMs, magnitude: ageNs > 0 ? Math.floor(Math.log2(ageNs)) : -1 };
}

const costPattern = /^(0|-?[1-9][0-9]*)$/;

/** 0 if the annotation is absent or not a 32-bit integer. */
function deletionCost({ metadata }: Pod, annotation: string | undefined): number {
  const text = annotation === undefined ? undefined : metadata.annotations?.[annotation];
  if (text === undefined || !costPattern.test(text)) return 0;
  const cost = Number(text);
  return cost === (cost | 0) ? cost : 0;
}

/** The most restarts of a container, and of a sidecar (an init container that restarts always). */
function maxRestarts({ spec, status }: Pod): Restarts {
  const sidecars = new Set(
    (spec.initContainers ?? [])
      .filter(({ restartPolicy }) => restartPolicy === 'Always')
      .map(({ name }) => name),
  );
  const { containerStatuses = [], initContainerStatuses = [] } = status;
  const most = (statuses: typeof containerStatuses) =>
    Math.max(0, ...statuses.map(({ restartCount }) => restartCount));
  return {
    regular: most(containerStatuses),
    sidecar: most(initContainerStatuses.filter(({ name }) => sidecars.has(name))),
  };
}
