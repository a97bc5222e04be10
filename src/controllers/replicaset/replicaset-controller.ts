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
import { computeStatus } from './replicaset-status.ts';
import type { Replicated, ReplicatedKind } from './replicated-kind.ts';

const pods = { group: '', version: 'v1', resource: 'pods' } as const;
/** Pods that one reconciliation creates or deletes at most (upstream: BurstReplicas). */
const burstReplicas = 500;

export class ReplicaSetController extends OwnerController<Replicated, Pod> {
  readonly #kind: ReplicatedKind;
  readonly #podControl: PodControl;

  constructor(context: ControllerContext, kind: ReplicatedKind) {
    super(context, { ...kind, child: pods, workers: 5 });
    const { client, identity } = context;
    this.#kind = kind;
    this.#podControl = new PodControl({ client, identity, events: this.events, signal: this.stopped });
  }

  protected async reconcile(key: string, owner: Replicated): Promise<void> {
    const { uid = '', deletionTimestamp } = owner.metadata;
    const waitMs = this.expectations.remainingMs(uid);
    const active = await this.claimChildren(owner, isActive);
    let failure: unknown;
    if (waitMs > 0) this.queue.addAfter(key, waitMs);
    else if (!deletionTimestamp) failure = await this.#manageReplicas(owner, active);
    await this.#writeStatus(owner, active, failure);
    if (failure !== undefined) throw failure;
    this.#requeueForAvailability(key, owner, active);
  }

  /** Returns the first error. */
  async #manageReplicas(owner: Replicated, active: readonly Pod[]): Promise<unknown> {
    const { replicas = 1 } = owner.spec;
    const missing = replicas - active.length;
    if (missing > 0) return this.#createPods(owner, Math.min(missing, burstReplicas));
    if (missing < 0) return this.#deletePods(owner, active, Math.min(-missing, burstReplicas));
    return undefined;
  }

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

  async #writeStatus(owner: Replicated, active: readonly Pod[], failure: unknown): Promise<void> {
    const { clock } = this.context;
    const status = computeStatus(owner, {
      active,
      terminating: this.#countTerminating(owner),
      failure: failure === undefined ? undefined : messageOf(failure),
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

const podKey = ({ metadata }: Pod) => `${metadata.namespace}/${metadata.name}`;
