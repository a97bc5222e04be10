// statefulset-controller: decides which pods to create, delete and maintain. Invariants of the plan:
// - There is at most one pod of an ordinal: one is created only if none exists, also none that is being deleted.
// - With OrderedReady, a pod is created or deleted only if all pods with lower ordinals are available.
// - A rolling update deletes no pod below the partition, and, with a maximum of unavailable pods, no available pod beyond it.
import { isInRange, type OrdinalRange } from './ordinals.ts';

/** A pod as the plan sees it. */
export interface OrdinalPod {
  readonly ordinal: number;
  /** The name of its ControllerRevision. */
  readonly revision: string;
  /** It has succeeded or failed. */
  readonly isFinished: boolean;
  readonly isTerminating: boolean;
  /** Running and ready. */
  readonly isReady: boolean;
  /** Ready for minReadySeconds. */
  readonly isAvailable: boolean;
}

export interface PlanInput<P extends OrdinalPod> {
  readonly pods: readonly P[];
  readonly range: OrdinalRange;
  /** podManagementPolicy is OrderedReady, not Parallel. */
  readonly isOrdered: boolean;
  readonly currentRevision: string;
  readonly updateRevision: string;
  /** New pods with ordinals below it get the current revision. */
  readonly firstUpdatedOrdinal: number;
  /** Undefined if pods are updated only when a user deletes them (OnDelete). */
  readonly rollingUpdate: RollingUpdate | undefined;
}

export interface RollingUpdate {
  /** The number of pods, counted from the first ordinal, that are not updated. */
  readonly partition: number;
  /** Undefined if pods are updated one by one (without the feature gate MaxUnavailableStatefulSet). */
  readonly maxUnavailable: number | undefined;
}

export type PodAction<P extends OrdinalPod> =
  | { readonly type: 'create'; readonly ordinal: number; readonly revision: string }
  | { readonly type: 'delete'; readonly pod: P }
  /** Sets labels and claims of an existing pod if they differ. */
  | { readonly type: 'maintain'; readonly pod: P };

/** The actions, in the order in which they are to be executed. Scaling takes precedence over updates. */
export function planPods<P extends OrdinalPod>(input: PlanInput<P>): PodAction<P>[] {
  const actions: PodAction<P>[] = [];
  const isComplete = planReplicas(input, actions) && planScaleDown(input, actions);
  if (isComplete) planUpdate(input, actions);
  return actions;
}

/** Returns false if the plan ends here, because a pod has to become available first. */
function planReplicas<P extends OrdinalPod>(input: PlanInput<P>, actions: PodAction<P>[]): boolean {
  const { range, isOrdered } = input;
  const byOrdinal = new Map(input.pods.map((pod) => [pod.ordinal, pod]));
  for (let ordinal = range.start; ordinal < range.end; ordinal++) {
    const pod = byOrdinal.get(ordinal);
    if (!pod) actions.push({ type: 'create', ordinal, revision: revisionOfNew(ordinal, input) });
    else if (!pod.isFinished) actions.push({ type: 'maintain', pod });
    else if (!pod.isTerminating) actions.push({ type: 'delete', pod });
    if (isOrdered && !(pod && isHealthy(pod) && pod.isAvailable)) return false;
  }
  return true;
}

/** Deletes the pods outside of the range, highest ordinals first. Returns as planReplicas. */
function planScaleDown<P extends OrdinalPod>(
  { pods, range, isOrdered }: PlanInput<P>,
  actions: PodAction<P>[],
): boolean {
  const condemned = pods
    .filter(({ ordinal }) => !isInRange(ordinal, range))
    .sort((a, b) => b.ordinal - a.ordinal);
  // Claims get their owners before the pods are deleted.
  for (const pod of condemned) actions.push({ type: 'maintain', pod });
  const firstUnhealthy = condemned.findLast((pod) => !isHealthy(pod));
  for (const pod of condemned) {
    const isBlocked = pod.isTerminating || (!(isHealthy(pod) && pod.isAvailable) && pod !== firstUnhealthy);
    if (isOrdered && isBlocked) return false;
    if (!pod.isTerminating) actions.push({ type: 'delete', pod });
    if (isOrdered) return false;
  }
  return true;
}

function planUpdate<P extends OrdinalPod>(input: PlanInput<P>, actions: PodAction<P>[]): void {
  const { rollingUpdate, range } = input;
  if (!rollingUpdate) return;
  const replicas = input.pods
    .filter(({ ordinal, isFinished }) => isInRange(ordinal, range) && !isFinished)
    .sort((a, b) => b.ordinal - a.ordinal);
  if (rollingUpdate.maxUnavailable === undefined) planNextUpdate(input, replicas, actions);
  else planUpdates(input, replicas, rollingUpdate.maxUnavailable, actions);
}

/** Deletes the pod with the highest ordinal that is not updated, if all pods above are healthy. */
function planNextUpdate<P extends OrdinalPod>(
  { range, rollingUpdate, updateRevision }: PlanInput<P>,
  replicas: readonly P[],
  actions: PodAction<P>[],
): void {
  const first = range.start + (rollingUpdate?.partition ?? 0);
  let ordinal = range.end;
  for (const pod of replicas) {
    ordinal -= 1;
    // A pod with a higher ordinal is missing or finished.
    if (pod.ordinal !== ordinal || ordinal < first) return;
    if (pod.revision !== updateRevision && !pod.isTerminating) {
      actions.push({ type: 'delete', pod });
      return;
    }
    if (!isHealthy(pod)) return;
  }
}

/** Deletes pods that are not updated: all that are unavailable anyway, and available ones up to the maximum. */
function planUpdates<P extends OrdinalPod>(
  { range, rollingUpdate, updateRevision }: PlanInput<P>,
  replicas: readonly P[],
  maxUnavailable: number,
  actions: PodAction<P>[],
): void {
  const first = range.start + (rollingUpdate?.partition ?? 0);
  const isUp = (pod: P) => isHealthy(pod) && pod.isAvailable;
  let budget = maxUnavailable - (range.end - range.start - replicas.filter(isUp).length);
  for (const pod of replicas) {
    if (pod.ordinal < first || pod.revision === updateRevision || pod.isTerminating) continue;
    if (isUp(pod) && budget <= 0) continue;
    if (isUp(pod)) budget -= 1;
    actions.push({ type: 'delete', pod });
  }
}

const isHealthy = ({ isReady, isTerminating }: OrdinalPod) => isReady && !isTerminating;

const revisionOfNew = <P extends OrdinalPod>(
  ordinal: number,
  { firstUpdatedOrdinal, currentRevision, updateRevision }: PlanInput<P>,
) => (ordinal < firstUpdatedOrdinal ? currentRevision : updateRevision);
