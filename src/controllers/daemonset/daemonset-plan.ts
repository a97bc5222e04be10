// daemonset-controller: decides on which nodes to create pods and which pods to delete. Invariants:
// - A node gets a pod only if it has none, also none that is being deleted. With a surge it may have an old and a new one.
// - An update deletes no available pod if that would make more nodes unavailable than maxUnavailable, and creates no more
//   additional pods than maxSurge.

/** A pod as the plan sees it. */
export interface PlannedPod {
  readonly name: string;
  readonly creationTimestamp: string;
  /** It has the current template. */
  readonly isUpdated: boolean;
  /** It is bound to its node. */
  readonly isScheduled: boolean;
  /** It has succeeded or failed. */
  readonly isFinished: boolean;
  readonly isTerminating: boolean;
  readonly isReady: boolean;
  /** Ready for minReadySeconds. */
  readonly isAvailable: boolean;
}

/** A node with the pods of the DaemonSet that run on it or were created for it. */
export interface PlannedNode<P extends PlannedPod> {
  readonly name: string;
  /** False if only pods are left that were created for it. */
  readonly exists: boolean;
  readonly shouldRun: boolean;
  readonly shouldContinue: boolean;
  readonly pods: readonly P[];
}

export interface NodePlan<P extends PlannedPod> {
  /** Names of nodes. */
  readonly createOn: string[];
  readonly remove: P[];
  /** Pods that have succeeded or failed, with their nodes. They are deleted too, with backoff if they failed. */
  readonly finished: { readonly pod: P; readonly node: string }[];
}

export interface UpdateLimits {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** Creates missing pods, and deletes surplus, misplaced and finished ones. */
export function planNodes<P extends PlannedPod>(
  nodes: readonly PlannedNode<P>[],
  allowsSurge: boolean,
): NodePlan<P> {
  const plan: NodePlan<P> = { createOn: [], remove: [], finished: [] };
  for (const node of nodes) {
    if (node.exists) planNode(node, allowsSurge, plan);
    // The scheduler never binds these, and pod garbage collection deletes only bound pods.
    else plan.remove.push(...node.pods.filter((pod) => !pod.isScheduled && !pod.isTerminating));
  }
  return plan;
}

function planNode<P extends PlannedPod>(
  { name, shouldRun, shouldContinue, pods }: PlannedNode<P>,
  allowsSurge: boolean,
  { createOn, remove, finished }: NodePlan<P>,
): void {
  const alive = pods.filter(({ isTerminating }) => !isTerminating);
  if (!shouldContinue) {
    remove.push(...alive);
    return;
  }
  const running = alive.filter(({ isFinished }) => !isFinished).sort(compareByAge);
  for (const pod of alive) if (pod.isFinished) finished.push({ pod, node: name });
  // A terminating pod is waited for, except with a surge.
  const isMissing = pods.length === 0 || (allowsSurge && alive.length === 0);
  if (shouldRun && isMissing) createOn.push(name);
  if (!allowsSurge) remove.push(...running.slice(1));
  else if (running.length > 1) remove.push(...surplusOfSurge(running));
}

/** Keeps the oldest pod of the new template, and the oldest old one while it is ready and the new one is not available. */
function surplusOfSurge<P extends PlannedPod>(running: readonly P[]): P[] {
  const newPod = running.find(({ isUpdated }) => isUpdated);
  const oldPod = running.find(({ isUpdated }) => !isUpdated);
  const isReplaced = newPod !== undefined && oldPod !== undefined && (!oldPod.isReady || newPod.isAvailable);
  return running.filter((pod) => pod !== newPod && (pod !== oldPod || isReplaced));
}

/** The next step of a rolling update. */
export function planUpdate<P extends PlannedPod>(
  nodes: readonly PlannedNode<P>[],
  { maxSurge, maxUnavailable }: UpdateLimits,
): Pick<NodePlan<P>, 'createOn' | 'remove'> {
  const existing = nodes.filter(({ exists }) => exists);
  return maxSurge === 0 ? planReplacements(existing, maxUnavailable) : planSurge(existing, maxSurge);
}

/** Deletes old pods; the ones that are not available anyway do not count. */
function planReplacements<P extends PlannedPod>(
  nodes: readonly PlannedNode<P>[],
  maxUnavailable: number,
): Pick<NodePlan<P>, 'createOn' | 'remove'> {
  const unavailable: P[] = [];
  const candidates: P[] = [];
  let unavailableNodes = 0;
  for (const node of nodes) {
    const { newPods, oldPods } = alivePods(node);
    const [oldPod] = oldPods;
    const isSettled = newPods.length + oldPods.length === 1;
    const isUp = isSettled && [...newPods, ...oldPods].every(({ isAvailable }) => isAvailable);
    if (!isUp && (node.shouldRun || node.pods.length > 0)) unavailableNodes += 1;
    if (isSettled && oldPod) (isUp ? candidates : unavailable).push(oldPod);
  }
  const budget = Math.max(0, maxUnavailable - unavailableNodes);
  return { createOn: [], remove: [...unavailable, ...candidates.slice(0, budget)] };
}

/** Creates new pods beside old ones, and deletes the old ones when the new ones are available. */
function planSurge<P extends PlannedPod>(
  nodes: readonly PlannedNode<P>[],
  maxSurge: number,
): Pick<NodePlan<P>, 'createOn' | 'remove'> {
  const replaceable: string[] = [];
  const candidates: string[] = [];
  const remove: P[] = [];
  const misplaced: P[] = [];
  let surging = 0;
  let available = 0;
  for (const node of nodes) {
    const { newPods, oldPods } = alivePods(node);
    const [newPod] = newPods;
    const [oldPod] = oldPods;
    if ((oldPod ?? newPod)?.isAvailable) available += 1;
    if (newPods.length > 1 || oldPods.length > 1) surging += 1;
    else if (oldPod && newPod) {
      if (newPod.isAvailable) remove.push(oldPod);
      else surging += 1;
    } else if (oldPod && !node.shouldRun) (oldPod.isAvailable ? misplaced : remove).push(oldPod);
    else if (oldPod) (oldPod.isAvailable ? candidates : replaceable).push(node.name);
  }
  const desired = nodes.filter(({ shouldRun }) => shouldRun).length;
  // A pod on a node where it may stay but not be created again is deleted only if enough others are available.
  remove.push(...misplaced.slice(0, Math.max(0, available - desired)));
  const budget = Math.max(0, maxSurge - surging);
  return { createOn: [...replaceable, ...candidates.slice(0, budget)], remove };
}

function alivePods<P extends PlannedPod>({ pods }: PlannedNode<P>) {
  const alive = pods.filter(({ isTerminating }) => !isTerminating);
  return {
    newPods: alive.filter(({ isUpdated }) => isUpdated),
    oldPods: alive.filter(({ isUpdated }) => !isUpdated),
  };
}

/** Bound pods first, then the older ones. */
export function compareByAge(a: PlannedPod, b: PlannedPod): number {
  if (a.isScheduled !== b.isScheduled) return a.isScheduled ? -1 : 1;
  if (a.creationTimestamp !== b.creationTimestamp) return a.creationTimestamp < b.creationTimestamp ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}
