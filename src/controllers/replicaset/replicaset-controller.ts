// replicaset-controller and replicationcontroller-controller: create and delete pods until there are as many as desired, and maintain
// the status.
import { ReplicaSetStatus } from '../../apis/apps/replicaset.ts';
import type { Pod } from '../../apis/core/pod.ts';
import { timestamp } from '../../base/clock.ts';
import { isSemanticallyEqual } from '../../schema/semantic-equality.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import { controllerOf } from '../workload/controller-reference.ts';
import { choosePodsToDelete } from '../workload/deletion-order.ts';
import { OwnerController } from '../workload/owner-controller.ts';
import { isActive, isTerminating, nextAvailableMs } from '../workload/pod-availability.ts';
import { isNamespaceTerminating, messageOf, PodControl, podFromTemplate } from '../workload/pod-control.ts';
import { slowStart } from '../workload/slow-start.ts';
import { computeStatus, type FailureCondition } from './replicaset-status.ts';
import type { Replicated, ReplicatedKind } from './replicated-kind.ts';

const pods = { group: '', version: 'v1', resource: 'pods' } as const;
/** Pods that one reconciliation creates or deletes at most (upstream: BurstReplicas). */
const burstReplicas = 500;

export class ReplicaSetController extends OwnerController<Replicated, Pod> {
  readonly #kind: ReplicatedKind;
  readonly #podControl: PodControl;

  constructor(context: ControllerContext, kind: ReplicatedKind) {
    super(context, { ...kind, child: pods, workers: 5, keptOfChild: keptOfPod });
    const { client, identity } = context;
    this.#kind = kind;
    this.#podControl = new PodControl({ client, identity, events: this.events, signal: this.stopped });
  }

  protected async reconcile(key: string, owner: Replicated): Promise<void> {
    const { uid = '', deletionTimestamp } = owner.metadata;
    const waitMs = this.expectations.remainingMs(uid);
    const claimed = await this.claimChildren(owner, isActive);
    const missing = (owner.spec.replicas ?? 1) - claimed.length;
    if (waitMs > 0) this.queue.addAfter(key, waitMs);
    const isManaged = waitMs === 0 && !deletionTimestamp && missing !== 0;
    const failure = isManaged ? await this.#manageReplicas(owner, claimed, missing) : undefined;
    const active = isManaged ? this.ownedChildren(owner).filter(isActive) : claimed;
    await this.#writeStatus(owner, active, failure);
    if (failure) throw failure.error;
    this.#requeueForAvailability(key, owner, active);
  }

  /** Creates the missing pods, or deletes pods if the number is negative. */
  async #manageReplicas(
    owner: Replicated,
    active: readonly Pod[],
    missing: number,
  ): Promise<ReplicaFailure | undefined> {
    const count = Math.min(Math.abs(missing), burstReplicas);
    const error = await (missing > 0
      ? this.#createPods(owner, count)
      : this.#deletePods(owner, active, count));
    if (error === undefined) return undefined;
    const reason = missing > 0 ? 'FailedCreate' : 'FailedDelete';
    return { reason, message: messageOf(error), error };
  }

  /** Returns the first error. */
  async #createPods(owner: Replicated, count: number): Promise<unknown> {
    const { metadata, spec } = owner;
    const { uid = '' } = metadata;
    if (!spec.template) return undefined;
    const pod = podFromTemplate(metadata, this.ownerReference(owner), spec.template);
    this.expectations.expectCreations(uid, count);
    let attempted = 0;
    const { error } = await slowStart(count, async () => {
      attempted += 1;
      try {
        await this.#podControl.create(metadata, pod);
      } catch (failure) {
        this.expectations.creationObserved(uid);
        throw failure;
      }
    });
    for (; attempted < count; attempted++) this.expectations.creationObserved(uid);
    // The namespace is being emptied, so there is nothing to report.
    return isNamespaceTerminating(error) ? undefined : error;
  }

  /** Returns the first error. */
  async #deletePods(owner: Replicated, active: readonly Pod[], count: number): Promise<unknown> {
    const { metadata } = owner;
    const { uid = '' } = metadata;
    const { clock, dialect, features } = this.context;
    const chosen = choosePodsToDelete(active, count, {
      relatedPods: this.#relatedPods(owner),
      costAnnotation: features.enabled('PodDeletionCost') ? dialect.annotations.podDeletionCost : undefined,
      now: clock.now(),
    });
    this.expectations.expectDeletions(uid, chosen.map(podKey));
    const results = await Promise.allSettled(
      chosen.map(async (pod) => {
        let isDeleted = false;
        try {
          isDeleted = await this.#podControl.delete(metadata, pod);
        } finally {
          if (!isDeleted) this.expectations.deletionObserved(uid, podKey(pod));
        }
      }),
    );
    return results.find((result) => result.status === 'rejected')?.reason;
  }

  /** The pods of all ReplicaSets of the same Deployment. */
  #relatedPods({ metadata }: Replicated): Pod[] {
    const controller = controllerOf(metadata);
    if (!controller) return [];
    return this.owners
      .byIndex('controller', controller.uid)
      .flatMap((related) => this.childrenOf(related.metadata()?.uid ?? ''));
  }

  async #writeStatus(
    owner: Replicated,
    active: readonly Pod[],
    failure: ReplicaFailure | undefined,
  ): Promise<void> {
    const { clock } = this.context;
    const status = computeStatus(owner, {
      active,
      terminating: this.#countTerminating(owner),
      failure,
      now: clock.now(),
      timestamp: timestamp(clock),
    });
    if (isSemanticallyEqual(ReplicaSetStatus, status, owner.status)) return;
    await this.updateStatus(owner, (latest) => {
      latest.status = status;
    });
  }

  #countTerminating({ metadata }: Replicated): number | undefined {
    const isCounted =
      this.#kind.hasTerminatingReplicas &&
      this.context.features.enabled('DeploymentReplicaSetTerminatingReplicas');
    return isCounted ? this.childrenOf(metadata.uid ?? '').filter(isTerminating).length : undefined;
  }

  #requeueForAvailability(key: string, { spec }: Replicated, active: readonly Pod[]): void {
    const now = this.context.clock.now();
    const nextMs = nextAvailableMs(active, spec.minReadySeconds ?? 0, now);
    if (nextMs !== undefined) this.queue.addAfter(key, nextMs - now);
  }
}

/** Why pods could not be created or deleted. */
interface ReplicaFailure extends FailureCondition {
  readonly error: unknown;
}

/** Most of a pod is its spec. */
function keptOfPod(pod: Pod): Pod {
  const { managedFields: _, ...metadata } = pod.metadata;
  const { nodeName, initContainers } = pod.spec;
  const keptSpec = { ...(nodeName && { nodeName }), ...(initContainers && { initContainers }) };
  return { ...pod, metadata, spec: keptSpec as Pod['spec'] };
}

const podKey = ({ metadata }: Pod) => `${metadata.namespace}/${metadata.name}`;
