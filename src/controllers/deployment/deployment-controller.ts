// deployment-controller: rolls out the template of a Deployment. Each template has a ReplicaSet; a rollout scales the new one up and the
// old ones down.
import { type Deployment, DeploymentStatus } from '../../apis/apps/deployment.ts';
import type { ReplicaSet } from '../../apis/apps/replicaset.ts';
import type { Pod } from '../../apis/core/pod.ts';
import { timestamp } from '../../base/clock.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import { ignoreNotFound } from '../../errors/ignore-not-found.ts';
import { ApiError } from '../../errors/status.ts';
import { isSemanticallyEqual } from '../../schema/semantic-equality.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import { controllerOf, controllerOfStored } from '../workload/controller-reference.ts';
import { OwnerController } from '../workload/owner-controller.ts';
import { isNamespaceTerminating, messageOf } from '../workload/pod-control.ts';
import {
  type DeploymentCondition,
  findCondition,
  hasProgressDeadline,
  newCondition,
  progressDeadlineMs,
  progressReasons,
  setCondition,
} from './deployment-conditions.ts';
import { computeRolloutStatus, computeStatus, isComplete, type ObservedSets } from './deployment-status.ts';
import { isScalingEvent, planScaling, type ScalingTarget } from './proportional-scaling.ts';
import { replicaLimits } from './replica-limits.ts';
import { replicaSetFor } from './replicaset-from-template.ts';
import {
  hasAnnotations,
  integerAnnotation,
  newSetAnnotations,
  nextRevision,
  scalingAnnotations,
} from './revision.ts';
import { newSetReplicas, planRollingUpdate } from './rolling-update.ts';
import { isSameTemplate } from './same-template.ts';
import { compareByCreation, isActiveSet, type Scaling, type SizedSet } from './sized-set.ts';

const deployments = { group: 'apps', version: 'v1', resource: 'deployments' } as const;
const replicaSets = { group: 'apps', version: 'v1', resource: 'replicasets' } as const;
const pods = { group: '', version: 'v1', resource: 'pods' } as const;

/** A ReplicaSet with the numbers that decide its size. */
interface OwnedSet extends SizedSet {
  readonly object: ReplicaSet;
}

/** What one reconciliation has read and changed. The status is written at its end. */
interface Rollout {
  readonly key: string;
  /** The Deployment as it was read. */
  readonly observed: Deployment;
  /** A copy with new conditions and annotations. */
  readonly deployment: Deployment;
  /** The ReplicaSet with the template of the Deployment; undefined until it is created. */
  newSet: OwnedSet | undefined;
  readonly oldSets: readonly OwnedSet[];
}

export class DeploymentController extends OwnerController<Deployment, ReplicaSet> {
  /** Pods of ReplicaSets, by the uid of the ReplicaSet. */
  readonly #pods: Informer<Pod>;

  constructor(context: ControllerContext) {
    super(context, {
      owner: deployments,
      child: replicaSets,
      queueName: 'deployment',
      workers: 5,
      component: 'deployment-controller',
      selectorOf: ({ spec }) => spec.selector,
    });
    this.#pods = context.informers.informer<Pod>(
      pods,
      { onDelete: (pod) => this.#onPodDelete(pod) },
      { replicaSet: (pod) => replicaSetsOf(pod) },
    );
  }

  override start(): void {
    this.#pods.start();
    super.start();
  }

  override reset(): void {
    this.#pods.reset();
    super.reset();
  }

  override async close(): Promise<void> {
    this.#pods.close();
    await super.close();
  }

  /** With strategy Recreate, the last deleted pod of the old ReplicaSets lets the rollout continue. */
  #onPodDelete(pod: InformerObject<Pod>): void {
    const owner = controllerOfStored(pod);
    if (owner?.kind !== 'ReplicaSet') return;
    const set = this.children.get(pod.namespace, owner.name);
    const deployment = set && controllerOfStored(set);
    if (deployment?.kind === 'Deployment') this.queue.add(`${pod.namespace}/${deployment.name}`);
  }

  protected async reconcile(key: string, observed: Deployment): Promise<void> {
    await this.#pods.hasSynced;
    const sets = (await this.claimChildren(observed)).map((set) => this.#sized(set));
    const newSet = sets
      .toSorted(compareByCreation)
      .find(({ object }) => isSameTemplate(object.spec.template, observed.spec.template));
    const oldSets = sets.filter((set) => set !== newSet);
    const rollout = { key, observed, deployment: structuredClone(observed), newSet, oldSets };
    if (observed.metadata.deletionTimestamp) return this.#writeStatus(rollout, computeStatus);
    await this.#setPausedCondition(rollout);
    await this.#syncNewSet(rollout);
    if (observed.spec.paused) return this.#scaleAndCleanUp(rollout);
    if (isScalingEvent(scalingTarget(observed), sets)) return this.#scaleAndCleanUp(rollout);
    if (observed.spec.strategy.type === 'Recreate') return this.#recreate(rollout);
    return this.#rollingUpdate(rollout);
  }

  async #scaleAndCleanUp(rollout: Rollout): Promise<void> {
    const { deployment, newSet, oldSets } = rollout;
    await this.#scaleAll(rollout, planScaling(scalingTarget(deployment), newSet, oldSets));
    if (deployment.spec.paused) await this.#deleteOldSets(rollout);
    await this.#writeStatus(rollout, computeStatus);
  }

  async #rollingUpdate(rollout: Rollout): Promise<void> {
    const { deployment, oldSets } = rollout;
    const limits = replicaLimits(deployment);
    if (!rollout.newSet) await this.#createNewSet(rollout, newSetReplicas(limits, emptySet, oldSets));
    const scalings = rollout.newSet ? planRollingUpdate(limits, rollout.newSet, oldSets) : [];
    await this.#scaleAll(rollout, scalings);
    if (scalings.length === 0) await this.#deleteOldSetsIfComplete(rollout);
    await this.#writeStatus(rollout, computeRolloutStatus);
  }

  /** Deletes all old pods, and only then creates new ones. */
  async #recreate(rollout: Rollout): Promise<void> {
    const { replicas } = replicaLimits(rollout.deployment);
    const active = rollout.oldSets.filter(isActiveSet);
    if (active.length > 0) {
      await this.#scaleAll(
        rollout,
        active.map((set) => ({ set, replicas: 0 })),
      );
    } else if (!this.#hasOldPods(rollout)) {
      if (!rollout.newSet) await this.#createNewSet(rollout, replicas);
      if (rollout.newSet && rollout.newSet.replicas !== replicas)
        await this.#scaleAll(rollout, [{ set: rollout.newSet, replicas }]);
      await this.#deleteOldSetsIfComplete(rollout);
    }
    await this.#writeStatus(rollout, computeRolloutStatus);
  }

  /** Whether an old pod exists that has not finished, also if it is being deleted. */
  #hasOldPods({ oldSets }: Rollout): boolean {
    return oldSets.some(
      ({ object, currentReplicas }) =>
        currentReplicas > 0 ||
        this.#pods
          .byIndex('replicaSet', object.metadata.uid ?? '')
          .some((pod) => !['Succeeded', 'Failed'].includes(pod.field('status.phase') ?? '')),
    );
  }

  /** A pause is not to count as a lack of progress. */
  async #setPausedCondition({ deployment }: Rollout): Promise<void> {
    const { paused = false } = deployment.spec;
    const reason = findCondition(deployment.status, 'Progressing')?.reason;
    if (!hasProgressDeadline(deployment) || reason === progressReasons.timedOut) return;
    if (paused === (reason === progressReasons.paused)) return;
    if (paused) this.#setProgressing(deployment, 'Unknown', progressReasons.paused, 'Deployment is paused');
    else this.#setProgressing(deployment, 'Unknown', progressReasons.resumed, 'Deployment is resumed');
    // Written at once, because the rollout that follows may replace it.
    await this.updateStatus(deployment, (latest) => {
      latest.status = deployment.status;
    });
  }

  /** Updates annotations and minReadySeconds of an existing new ReplicaSet, and takes over its revision. */
  async #syncNewSet(rollout: Rollout): Promise<void> {
    const { deployment, newSet, oldSets } = rollout;
    if (!newSet) return;
    const { dialect } = this.context;
    const { metadata, spec } = newSet.object;
    const revision = nextRevision(
      oldSets.map(({ object }) => object),
      dialect,
    );
    const annotations = newSetAnnotations(deployment, metadata.annotations ?? {}, revision, dialect);
    const minReadySeconds = deployment.spec.minReadySeconds ?? 0;
    const isUpToDate =
      hasAnnotations(metadata.annotations, annotations) && (spec.minReadySeconds ?? 0) === minReadySeconds;
    if (!isUpToDate) {
      rollout.newSet = await this.#updateSet(newSet, (latest) => {
        latest.metadata.annotations = { ...annotations };
        latest.spec.minReadySeconds = minReadySeconds;
      });
    }
    this.#setRevision(deployment, annotations[dialect.annotations.deploymentRevision]);
    if (hasProgressDeadline(deployment) && !findCondition(deployment.status, 'Progressing')) {
      const message = `Found new replica set ${JSON.stringify(metadata.name)}`;
      this.#setProgressing(deployment, 'True', progressReasons.foundSet, message);
    }
  }

  /** If the namespace is terminating, there is no new ReplicaSet. */
  async #createNewSet(rollout: Rollout, replicas: number): Promise<void> {
    const { deployment, oldSets } = rollout;
    const { client, dialect, identity } = this.context;
    const revision = nextRevision(
      oldSets.map(({ object }) => object),
      dialect,
    );
    const annotations = {
      ...newSetAnnotations(deployment, {}, revision, dialect),
      ...scalingAnnotations(replicaLimits(deployment), dialect),
    };
    const controller = this.ownerReference(deployment);
    const manifest = replicaSetFor(deployment, { controller, annotations, replicas });
    const name = manifest.metadata.name ?? '';
    try {
      const created = await client.create(manifest, identity);
      rollout.newSet = this.#sized(created as unknown as ReplicaSet);
    } catch (error) {
      if (isNamespaceTerminating(error)) return;
      if (!(error instanceof ApiError && error.reason === 'AlreadyExists'))
        return this.#failToCreate(rollout, name, error);
      rollout.newSet = await this.#useExistingSet(rollout, name, error);
      this.#setRevision(deployment, String(revision));
      return;
    }
    if (replicas > 0) this.#recordScaling(deployment, name, 0, replicas);
    this.#setRevision(deployment, String(revision));
    if (hasProgressDeadline(deployment)) {
      const message = `Created new replica set ${JSON.stringify(name)}`;
      this.#setProgressing(deployment, 'True', progressReasons.newSet, message);
    }
  }

  /** Returns a ReplicaSet that was created concurrently. If another one has the name, the next attempt uses another hash. */
  async #useExistingSet(rollout: Rollout, name: string, error: ApiError): Promise<OwnedSet> {
    const { deployment } = rollout;
    const { apiVersion, kind } = this.children.resource;
    const { namespace = '', uid } = deployment.metadata;
    const existing = await this.context.client.get({ apiVersion, kind, name, namespace });
    const set = existing as unknown as ReplicaSet;
    const isOwned = controllerOf(existing.metadata)?.uid === uid;
    if (isOwned && isSameTemplate(set.spec.template, deployment.spec.template)) return this.#sized(set);
    const collisionCount = (deployment.status.collisionCount ?? 0) + 1;
    await this.updateStatus(deployment, (latest) => {
      latest.status.collisionCount = collisionCount;
    });
    throw error;
  }

  async #failToCreate({ observed, deployment }: Rollout, name: string, error: unknown): Promise<never> {
    const message = `Failed to create new replica set ${JSON.stringify(name)}: ${messageOf(error)}`;
    const { createFailed } = progressReasons;
    this.events.record(deployment.metadata, 'Warning', createFailed, message);
    const isReported = findCondition(observed.status, 'Progressing')?.reason === createFailed;
    if (hasProgressDeadline(deployment) && !isReported) {
      this.#setProgressing(deployment, 'False', createFailed, message);
      await this.updateStatus(deployment, (latest) => {
        latest.status = deployment.status;
      });
    }
    throw error;
  }

  async #scaleAll(rollout: Rollout, scalings: readonly Scaling<OwnedSet>[]): Promise<void> {
    for (const { set, replicas } of scalings) await this.#scale(rollout, set, replicas);
  }

  /** Scales a ReplicaSet, and updates its annotations about the size of the Deployment. */
  async #scale({ deployment }: Rollout, set: OwnedSet, replicas: number): Promise<void> {
    const annotations = scalingAnnotations(replicaLimits(deployment), this.context.dialect);
    if (set.replicas === replicas && hasAnnotations(set.object.metadata.annotations, annotations)) return;
    await this.#updateSet(set, (latest) => {
      latest.spec.replicas = replicas;
      latest.metadata.annotations = { ...latest.metadata.annotations, ...annotations };
    });
    if (set.replicas !== replicas) this.#recordScaling(deployment, set.name, set.replicas, replicas);
  }

  /** Fails with a conflict if the ReplicaSet has changed since it was read. */
  async #updateSet(set: OwnedSet, change: (latest: ReplicaSet) => void): Promise<OwnedSet> {
    const { client, identity } = this.context;
    const { namespace = '', name = '', resourceVersion = '' } = set.object.metadata;
    await client.mutate(
      this.children,
      `${namespace}/${name}`,
      (latest) => {
        change(latest);
        latest.metadata.resourceVersion = resourceVersion;
      },
      identity,
    );
    const updated = this.children.get(namespace, name);
    return updated ? this.#sized(updated.decodeLazily()) : set;
  }

  async #deleteOldSetsIfComplete(rollout: Rollout): Promise<void> {
    const { deployment } = rollout;
    if (isComplete(deployment, deployment.status)) await this.#deleteOldSets(rollout);
  }

  /** Deletes the ReplicaSets of the oldest revisions beyond revisionHistoryLimit, if they have no pods. */
  async #deleteOldSets({ deployment, oldSets }: Rollout): Promise<void> {
    const { revisionHistoryLimit = noHistoryLimit } = deployment.spec;
    const { client, dialect, identity } = this.context;
    const caller = { user: identity.user, signal: this.stopped };
    const { apiVersion, kind } = this.children.resource;
    const revisionOf = ({ object }: OwnedSet) =>
      integerAnnotation(object, dialect.annotations.deploymentRevision) ?? 0;
    const deletable = oldSets
      .filter(({ object }) => object.metadata.deletionTimestamp === undefined)
      .sort((a, b) => revisionOf(a) - revisionOf(b) || compareByCreation(a, b));
    for (const set of deletable.slice(0, Math.max(0, deletable.length - revisionHistoryLimit))) {
      const { name = '', namespace = '', uid = '', generation = 0 } = set.object.metadata;
      const isObserved = (set.object.status.observedGeneration ?? 0) >= generation;
      if (set.replicas > 0 || set.currentReplicas > 0 || !isObserved) continue;
      const preconditions = { uid };
      await ignoreNotFound(client.delete({ apiVersion, kind, name, namespace }, { preconditions }, caller));
    }
  }

  /** Writes status and revision if they have changed, and requeues the Deployment for its progress deadline. */
  async #writeStatus(
    { key, observed, deployment, newSet, oldSets }: Rollout,
    compute: (deployment: Deployment, sets: ObservedSets) => DeploymentStatus,
  ): Promise<void> {
    const { clock, dialect, features } = this.context;
    const status = compute(deployment, {
      newSet: newSet?.object,
      allSets: [...oldSets, ...(newSet ? [newSet] : [])].map(({ object }) => object),
      hasTerminatingReplicas: features.enabled('DeploymentReplicaSetTerminatingReplicas'),
      now: clock.now(),
      timestamp: timestamp(clock),
    });
    const deadlineMs = deployment.spec.paused ? undefined : progressDeadlineMs(deployment, status);
    if (deadlineMs !== undefined && deadlineMs > clock.now())
      this.queue.addAfter(key, deadlineMs - clock.now());
    const { deploymentRevision } = dialect.annotations;
    const revision = deployment.metadata.annotations?.[deploymentRevision];
    const hasSameRevision = revision === observed.metadata.annotations?.[deploymentRevision];
    if (hasSameRevision && isSemanticallyEqual(DeploymentStatus, status, observed.status)) return;
    await this.updateStatus(deployment, (latest) => {
      latest.status = status;
      if (revision !== undefined)
        latest.metadata.annotations = { ...latest.metadata.annotations, [deploymentRevision]: revision };
    });
  }

  #setRevision({ metadata }: Deployment, revision: string | undefined): void {
    const { deploymentRevision } = this.context.dialect.annotations;
    if (revision !== undefined)
      metadata.annotations = { ...metadata.annotations, [deploymentRevision]: revision };
  }

  #setProgressing(
    { status }: Deployment,
    isProgressing: DeploymentCondition['status'],
    reason: string,
    message: string,
  ): void {
    const now = timestamp(this.context.clock);
    setCondition(status, newCondition('Progressing', isProgressing, reason, message, now));
  }

  #recordScaling({ metadata }: Deployment, set: string, from: number, to: number): void {
    const direction = from < to ? 'up' : 'down';
    const message = `Scaled ${direction} replica set ${set} from ${from} to ${to}`;
    this.events.record(metadata, 'Normal', 'ScalingReplicaSet', message);
  }

  #sized(object: ReplicaSet): OwnedSet {
    const { metadata, spec, status } = object;
    const { deploymentDesiredReplicas, deploymentMaxReplicas } = this.context.dialect.annotations;
    return {
      object,
      name: metadata.name ?? '',
      creationTimestamp: metadata.creationTimestamp ?? '',
      replicas: spec.replicas ?? 1,
      currentReplicas: status.replicas ?? 0,
      availableReplicas: status.availableReplicas ?? 0,
      desiredReplicas: integerAnnotation(object, deploymentDesiredReplicas),
      maxReplicas: integerAnnotation(object, deploymentMaxReplicas),
    };
  }
}

/** A revisionHistoryLimit of this value, or none, keeps all. */
const noHistoryLimit = 2 ** 31 - 1;

/** A ReplicaSet that is yet to be created. */
const emptySet: SizedSet = {
  name: '',
  creationTimestamp: '',
  replicas: 0,
  currentReplicas: 0,
  availableReplicas: 0,
  desiredReplicas: undefined,
  maxReplicas: undefined,
};

const scalingTarget = (deployment: Deployment): ScalingTarget => ({
  ...replicaLimits(deployment),
  isRollingUpdate: deployment.spec.strategy.type !== 'Recreate',
  currentReplicas: deployment.status.replicas ?? 0,
});

/** The index values of a pod: the uid of its ReplicaSet. */
function replicaSetsOf(pod: InformerObject<Pod>): string[] {
  const controller = controllerOfStored(pod);
  return controller?.kind === 'ReplicaSet' ? [controller.uid] : [];
}
