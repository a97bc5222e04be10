// daemonset-controller: runs one pod of a DaemonSet on each eligible node.
import { type DaemonSet, DaemonSetStatus } from '../../apis/apps/daemonset.ts';
import type { Pod } from '../../apis/core/pod.ts';
import { isReady } from '../../apis/core/pod-conditions.ts';
import { isSemanticallyEqual } from '../../schema/semantic-equality.ts';
import { ControllerHistory, type History } from '../history/controller-history.ts';
import { revisionsToDelete } from '../history/revision-limit.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import { OwnerController } from '../workload/owner-controller.ts';
import { isAvailable, nextAvailableMs } from '../workload/pod-availability.ts';
import { isNamespaceTerminating, PodControl } from '../workload/pod-control.ts';
import { scaled } from '../workload/scaled-value.ts';
import { slowStart } from '../workload/slow-start.ts';
import { daemonPod, hashLabel, isUpdated, targetNodeOf } from './daemon-pod.ts';
import {
  type NodePlan,
  type PlannedNode,
  type PlannedPod,
  planNodes,
  planUpdate,
  type UpdateLimits,
} from './daemonset-plan.ts';
import { computeStatus } from './daemonset-status.ts';
import { EligibleNodes } from './eligible-nodes.ts';
import { FailedPodBackoff } from './failed-pod-backoff.ts';
import { eligibilityOf, placementOf } from './node-eligibility.ts';

const daemonSets = { group: 'apps', version: 'v1', resource: 'daemonsets' } as const;
const pods = { group: '', version: 'v1', resource: 'pods' } as const;
/** Pods that one reconciliation creates, or deletes, at most (upstream: BurstReplicas). */
const burstReplicas = 250;

interface DaemonPod extends PlannedPod {
  readonly object: Pod;
}

export class DaemonSetController extends OwnerController<DaemonSet, Pod> {
  readonly #history: ControllerHistory;
  readonly #nodes: EligibleNodes;
  readonly #podControl: PodControl;
  readonly #backoff: FailedPodBackoff;

  constructor(context: ControllerContext) {
    super(context, {
      owner: daemonSets,
      child: pods,
      queueName: 'daemonset',
      workers: 2,
      component: 'daemonset-controller',
      selectorOf: ({ spec }) => spec.selector,
    });
    const { client, identity, clock } = context;
    this.#podControl = new PodControl({ client, identity, events: this.events, signal: this.stopped });
    this.#history = new ControllerHistory({
      context,
      ownerKind: 'DaemonSet',
      hashLabel,
      signal: this.stopped,
      onDelete: (key) => this.queue.add(key),
    });
    this.#nodes = new EligibleNodes(context, (key) => this.queue.add(key));
    this.#backoff = new FailedPodBackoff(clock);
  }

  override start(): void {
    this.#nodes.start();
    this.#history.start();
    super.start();
  }

  override reset(): void {
    this.#nodes.reset();
    this.#history.reset();
    this.#backoff.clear();
    super.reset();
  }

  override async close(): Promise<void> {
    this.#nodes.close();
    this.#history.close();
    await super.close();
  }

  protected async reconcile(key: string, set: DaemonSet): Promise<void> {
    const { uid = '', deletionTimestamp } = set.metadata;
    // Its revisions may be deleted already, so that the status cannot be computed.
    if (deletionTimestamp) return;
    await this.#nodes.hasSynced;
    const waitMs = this.expectations.remainingMs(uid);
    if (waitMs > 0) this.queue.addAfter(key, waitMs);
    await this.claimChildren(set);
    try {
      const history = await this.#syncHistory(set);
      const { labels, name = '' } = history.update.metadata;
      const hash = labels?.[hashLabel] ?? name;
      const error = waitMs === 0 ? await this.#manage(key, set, hash) : undefined;
      await this.#writeStatus(key, set, hash, waitMs === 0);
      if (error !== undefined) throw error;
      await this.#deleteOldRevisions(set, history);
    } catch (error) {
      // The namespace is being emptied, so there is nothing to do.
      if (!isNamespaceTerminating(error)) throw error;
    }
  }

  #syncHistory(set: DaemonSet): Promise<History> {
    const { metadata, spec, status } = set;
    return this.#history.sync({
      metadata,
      selector: spec.selector,
      template: spec.template,
      collisionCount: status.collisionCount,
      reference: this.ownerReference(set),
      mayAdopt: () => this.mayAdopt(set),
      setCollisionCount: (collisionCount) =>
        this.updateStatus(set, (latest) => {
          latest.status.collisionCount = collisionCount;
        }),
    });
  }

  /** Creates and deletes pods. An update continues when there is nothing else to do. Returns the first error. */
  async #manage(key: string, set: DaemonSet, hash: string): Promise<unknown> {
    const nodes = this.#observeNodes(set, hash);
    const plan = planNodes(nodes, updateLimits(set, 1).maxSurge > 0);
    const remove = [...plan.remove, ...this.#removableFinished(key, set, plan.finished)];
    if (plan.createOn.length + remove.length > 0)
      return this.#createAndDelete(set, hash, plan.createOn, remove);
    if (set.spec.updateStrategy.type === 'OnDelete') return undefined;
    const desired = nodes.filter(({ shouldRun }) => shouldRun).length;
    const update = planUpdate(nodes, updateLimits(set, desired));
    return this.#createAndDelete(set, hash, update.createOn, update.remove);
  }

  /** Finished pods to delete now. The others are looked at again after their backoff. */
  #removableFinished(key: string, set: DaemonSet, finished: NodePlan<DaemonPod>['finished']): DaemonPod[] {
    const { uid } = set.metadata;
    return finished.flatMap(({ pod, node }) => {
      const { namespace, name } = pod.object.metadata;
      if (pod.object.status.phase === 'Succeeded') {
        const message = `Found succeeded daemon pod ${namespace}/${name} on node ${node}, will try to delete it`;
        this.events.record(set.metadata, 'Normal', 'SucceededDaemonPod', message);
        return [pod];
      }
      const waitMs = this.#backoff.take(`${uid}/${set.status.observedGeneration ?? 0}/${node}`);
      if (waitMs > 0) {
        this.queue.addAfter(key, waitMs);
        return [];
      }
      const message = `Found failed daemon pod ${namespace}/${name} on node ${node}, will try to kill it`;
      this.events.record(set.metadata, 'Warning', 'FailedDaemonPod', message);
      return [pod];
    });
  }

  async #createAndDelete(
    set: DaemonSet,
    hash: string,
    createOn: readonly string[],
    remove: readonly DaemonPod[],
  ): Promise<unknown> {
    const nodeNames = createOn.slice(0, burstReplicas);
    const deleted = remove.slice(0, burstReplicas).map(({ object }) => object);
    if (nodeNames.length + deleted.length === 0) return undefined;
    this.expectations.expect(set.metadata.uid ?? '', nodeNames.length, deleted.map(podKey));
    const createError = await this.#createPods(set, hash, nodeNames);
    const deleteError = await this.#deletePods(set, deleted);
    return createError ?? deleteError;
  }

  /** Returns the first error. */
  async #createPods(set: DaemonSet, hash: string, nodeNames: readonly string[]): Promise<unknown> {
    const { uid = '' } = set.metadata;
    const controller = this.ownerReference(set);
    const { dialect } = this.context;
    let attempted = 0;
    const { error } = await slowStart(nodeNames.length, async () => {
      const nodeName = nodeNames[attempted++]!;
      try {
        await this.#podControl.create(set.metadata, daemonPod(set, { nodeName, hash, controller, dialect }));
      } catch (failure) {
        this.expectations.creationObserved(uid);
        throw failure;
      }
    });
    for (; attempted < nodeNames.length; attempted++) this.expectations.creationObserved(uid);
    return isNamespaceTerminating(error) ? undefined : error;
  }

  /** Returns the first error. */
  async #deletePods({ metadata }: DaemonSet, deleted: readonly Pod[]): Promise<unknown> {
    const results = await Promise.allSettled(
      deleted.map(async (pod) => {
        let isDeleted = false;
        try {
          isDeleted = await this.#podControl.delete(metadata, pod);
        } finally {
          if (!isDeleted) this.expectations.deletionObserved(metadata.uid ?? '', podKey(pod));
        }
      }),
    );
    return results.find((result) => result.status === 'rejected')?.reason;
  }

  /** All nodes with their daemon pods, by name, and the nodes that are gone but have pods. */
  #observeNodes(set: DaemonSet, hash: string): PlannedNode<DaemonPod>[] {
    const placement = placementOf(set.spec.template, this.context.dialect);
    const podsByNode = this.#podsByNode(set, hash);
    const existing = [...this.#nodes.nodes.values()].map((node) => ({
      name: node.name,
      exists: true,
      ...eligibilityOf(placement, node),
      pods: podsByNode.get(node.name) ?? [],
    }));
    const gone = [...podsByNode]
      .filter(([name]) => !this.#nodes.nodes.has(name))
      .map(([name, left]) => ({ name, exists: false, shouldRun: false, shouldContinue: false, pods: left }));
    return [...existing, ...gone].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #podsByNode(set: DaemonSet, hash: string): Map<string, DaemonPod[]> {
    const now = this.context.clock.now();
    const { minReadySeconds = 0 } = set.spec;
    const podsByNode = new Map<string, DaemonPod[]>();
    for (const object of this.ownedChildren(set)) {
      const { metadata, spec, status } = object;
      const node = targetNodeOf(object);
      const isFinished = status.phase === 'Failed' || status.phase === 'Succeeded';
      const isTerminating = metadata.deletionTimestamp !== undefined;
      // A finished pod that only a finalizer keeps does not occupy the node.
      if (node === undefined || (isFinished && isTerminating)) continue;
      const pod: DaemonPod = {
        object,
        name: metadata.name ?? '',
        creationTimestamp: metadata.creationTimestamp ?? '',
        isUpdated: isUpdated(object, set, hash),
        isScheduled: Boolean(spec.nodeName),
        isFinished,
        isTerminating,
        isReady: isReady(status),
        isAvailable: isAvailable(object, minReadySeconds, now),
      };
      podsByNode.set(node, [...(podsByNode.get(node) ?? []), pod]);
    }
    return podsByNode;
  }

  async #writeStatus(key: string, set: DaemonSet, hash: string, isObserved: boolean): Promise<void> {
    const now = this.context.clock.now();
    const nodes = this.#observeNodes(set, hash);
    const objects = nodes.flatMap((node) => node.pods.map(({ object }) => object));
    const nextMs = nextAvailableMs(objects, set.spec.minReadySeconds ?? 0, now);
    if (nextMs !== undefined) this.queue.addAfter(key, nextMs - now);
    const status = computeStatus(set, nodes, isObserved);
    if (isSemanticallyEqual(DaemonSetStatus, status, set.status)) return;
    await this.updateStatus(set, (latest) => {
      latest.status = status;
    });
  }

  /** Deletes the oldest revisions beyond revisionHistoryLimit that no pod has. Old revisions that pods have count. */
  async #deleteOldRevisions(set: DaemonSet, { revisions, update }: History): Promise<void> {
    const { revisionHistoryLimit = 10 } = set.spec;
    const old = revisions.filter(({ metadata }) => metadata.name !== update.metadata.name);
    if (old.length <= revisionHistoryLimit) return;
    const hashes = new Set(
      this.childrenOf(set.metadata.uid ?? '').map(({ metadata }) => metadata.labels?.[hashLabel]),
    );
    const isInUse = ({ metadata }: History['update']) => hashes.has(metadata.labels?.[hashLabel]);
    const limit = revisionHistoryLimit - old.filter(isInUse).length;
    await this.#history.delete(revisionsToDelete(old, isInUse, limit));
  }
}

/** Percentages round up. If both are 0, one pod may be unavailable. */
function updateLimits({ spec }: DaemonSet, desired: number): UpdateLimits {
  const { maxSurge = 0, maxUnavailable = 1 } = spec.updateStrategy.rollingUpdate ?? {};
  if (spec.updateStrategy.type === 'OnDelete') return { maxSurge: 0, maxUnavailable: 0 };
  const surge = Math.ceil(scaled(maxSurge, desired));
  const unavailable = Math.ceil(scaled(maxUnavailable, desired));
  return { maxSurge: surge, maxUnavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

const podKey = ({ metadata }: Pod) => `${metadata.namespace}/${metadata.name}`;
