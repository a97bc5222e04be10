// statefulset-controller: creates, updates and deletes the pods of StatefulSets, which have ordinals and stable identities.
import { type StatefulSet, StatefulSetStatus } from '../../apis/apps/statefulset.ts';
import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import type { Pod } from '../../apis/core/pod.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import { isSemanticallyEqual } from '../../schema/semantic-equality.ts';
import { ControllerHistory, type History } from '../history/controller-history.ts';
import { templateOfRevision } from '../history/revision-data.ts';
import { revisionsToDelete } from '../history/revision-limit.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import { OwnerController } from '../workload/owner-controller.ts';
import { isAvailable, nextAvailableMs } from '../workload/pod-availability.ts';
import { isNamespaceTerminating } from '../workload/pod-control.ts';
import { scaled } from '../workload/scaled-value.ts';
import { slowStart } from '../workload/slow-start.ts';
import { ordinalOf, ordinalRange, setNameOf } from './ordinals.ts';
import { revisionLabel, statefulPod } from './stateful-pod.ts';
import { StatefulPodControl } from './stateful-pod-control.ts';
import { type OrdinalPod, type PodAction, planPods, type RollingUpdate } from './statefulset-plan.ts';
import { computeStatus, isRunningAndReady, type ObservedRevisions } from './statefulset-status.ts';

const statefulSets = { group: 'apps', version: 'v1', resource: 'statefulsets' } as const;
const pods = { group: '', version: 'v1', resource: 'pods' } as const;
const persistentVolumeClaims = { group: '', version: 'v1', resource: 'persistentvolumeclaims' } as const;

interface ObservedPod extends OrdinalPod {
  readonly object: Pod;
}

export class StatefulSetController extends OwnerController<StatefulSet, Pod> {
  readonly #history: ControllerHistory;
  readonly #podControl: StatefulPodControl;
  readonly #claims: Informer<PersistentVolumeClaim>;

  constructor(context: ControllerContext) {
    super(context, {
      owner: statefulSets,
      child: pods,
      queueName: 'statefulset',
      workers: 5,
      component: 'statefulset-controller',
      selectorOf: ({ spec }) => spec.selector,
    });
    this.#history = new ControllerHistory({
      context,
      ownerKind: 'StatefulSet',
      hashLabel: context.dialect.labels.revisionHash,
      signal: this.stopped,
      onDelete: (key) => this.queue.add(key),
    });
    this.#podControl = new StatefulPodControl({
      context,
      events: this.events,
      pods: this.children,
      signal: this.stopped,
      ownerReference: (set) => this.ownerReference(set),
    });
    this.#claims = context.informers.informer<PersistentVolumeClaim>(persistentVolumeClaims, {
      onDelete: (claim) => this.#onClaimDelete(claim),
    });
  }

  override start(): void {
    this.#claims.watch();
    this.#history.start();
    super.start();
  }

  override reset(): void {
    this.#claims.reset();
    this.#history.reset();
    super.reset();
  }

  override async close(): Promise<void> {
    this.#claims.close();
    this.#history.close();
    await super.close();
  }

  /** The name may end in the name of a StatefulSet and an ordinal. A pod may wait for the deletion. */
  #onClaimDelete(claim: InformerObject<PersistentVolumeClaim>): void {
    for (const { kind, name } of claim.metadata()?.ownerReferences ?? []) {
      const setName = kind === 'Pod' ? setNameOf(name) : undefined;
      if (setName !== undefined) this.queue.add(`${claim.namespace}/${setName}`);
    }
  }

  protected async reconcile(key: string, set: StatefulSet): Promise<void> {
    const { uid = '', deletionTimestamp, name = '' } = set.metadata;
    const waitMs = this.expectations.remainingMs(uid);
    if (waitMs > 0) this.queue.addAfter(key, waitMs);
    const claimed = await this.claimChildren(set, ({ metadata }) => isMember(name, metadata.name));
    // Its revisions are being deleted too, and must not be created again.
    if (deletionTimestamp) return this.#writeStatus(key, set, revisionsOf(set));
    try {
      const history = await this.#syncHistory(set);
      const { currentRevision, collisionCount } = revisionsOf(set);
      const updateRevision = history.update.metadata.name ?? '';
      const hasCurrent = history.revisions.some(({ metadata }) => metadata.name === currentRevision);
      const revisions = {
        currentRevision: hasCurrent ? currentRevision : updateRevision,
        updateRevision,
        collisionCount,
      };
      const error = waitMs === 0 ? await this.#manage(set, claimed, history, revisions) : undefined;
      await this.#writeStatus(key, set, revisions);
      if (error !== undefined) throw error;
      await this.#deleteOldRevisions(set, history, revisions);
    } catch (error) {
      // The namespace is being emptied, so there is nothing to do.
      if (!isNamespaceTerminating(error)) throw error;
    }
  }

  #syncHistory(set: StatefulSet): Promise<History> {
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

  /** Executes the plan. Returns the first error. */
  async #manage(
    set: StatefulSet,
    claimed: readonly Pod[],
    history: History,
    { currentRevision, updateRevision }: ObservedRevisions,
  ): Promise<unknown> {
    const { metadata, spec, status } = set;
    const range = ordinalRange(set);
    const isOrdered = spec.podManagementPolicy !== 'Parallel';
    const { rollingUpdate } = spec.updateStrategy;
    const isRolling = spec.updateStrategy.type !== 'OnDelete';
    const currentPods = rollingUpdate ? (rollingUpdate.partition ?? 0) : (status.currentReplicas ?? 0);
    const actions = planPods({
      pods: this.#observe(set, claimed),
      range,
      isOrdered,
      currentRevision,
      updateRevision,
      firstUpdatedOrdinal: range.start + (isRolling ? currentPods : 0),
      rollingUpdate: isRolling ? this.#rollingUpdate(set) : undefined,
    });
    const deleted = actions.flatMap((action) =>
      action.type === 'delete' ? [podKey(action.pod.object)] : [],
    );
    const { uid = '' } = metadata;
    if (deleted.length > 0) this.expectations.expectDeletions(uid, deleted);
    const pending = [...actions];
    const executeNext = () => this.#execute(set, pending.shift()!, history);
    const { error } = isOrdered
      ? await inOrder(actions.length, executeNext)
      : await slowStart(actions.length, executeNext);
    for (const action of pending) {
      if (action.type === 'delete') this.expectations.deletionObserved(uid, podKey(action.pod.object));
    }
    return error;
  }

  async #execute(set: StatefulSet, action: PodAction<ObservedPod>, history: History): Promise<void> {
    if (action.type === 'create') {
      const { ordinal, revision } = action;
      const found = history.revisions.find(({ metadata }) => metadata.name === revision);
      const template = (found && templateOfRevision(found)) ?? set.spec.template;
      const { dialect } = this.context;
      const controller = this.ownerReference(set);
      const manifest = statefulPod(set, { ordinal, template, revision, controller, dialect });
      await this.#podControl.create(set, ordinal, manifest);
    } else if (action.type === 'maintain') {
      await this.#podControl.maintain(set, action.pod.ordinal, action.pod.object);
    } else {
      const { object } = action.pod;
      let isDeleted = false;
      try {
        isDeleted = await this.#podControl.delete(set, object);
      } finally {
        if (!isDeleted) this.expectations.deletionObserved(set.metadata.uid ?? '', podKey(object));
      }
    }
  }

  #observe({ metadata, spec }: StatefulSet, claimed: readonly Pod[]): ObservedPod[] {
    const now = this.context.clock.now();
    return claimed.flatMap((object) => {
      const ordinal = ordinalOf(metadata.name ?? '', object.metadata.name ?? '');
      if (ordinal === undefined) return [];
      return {
        object,
        ordinal,
        revision: object.metadata.labels?.[revisionLabel] ?? '',
        isFinished: object.status.phase === 'Failed' || object.status.phase === 'Succeeded',
        isTerminating: object.metadata.deletionTimestamp !== undefined,
        isReady: isRunningAndReady(object),
        isAvailable: isAvailable(object, spec.minReadySeconds ?? 0, now),
      };
    });
  }

  #rollingUpdate({ spec }: StatefulSet): RollingUpdate {
    const { partition = 0, maxUnavailable = 1 } = spec.updateStrategy.rollingUpdate ?? {};
    if (!this.context.features.enabled('MaxUnavailableStatefulSet'))
      return { partition, maxUnavailable: undefined };
    const allowed = Math.floor(scaled(maxUnavailable, spec.replicas ?? 1));
    return { partition, maxUnavailable: Math.max(1, allowed) };
  }

  async #writeStatus(key: string, set: StatefulSet, revisions: ObservedRevisions): Promise<void> {
    const { spec, metadata } = set;
    const now = this.context.clock.now();
    const owned = this.ownedChildren(set).filter((pod) => isMember(metadata.name, pod.metadata.name));
    const status = computeStatus(set, owned, revisions, now);
    const nextMs = nextAvailableMs(owned, spec.minReadySeconds ?? 0, now);
    if (nextMs !== undefined) this.queue.addAfter(key, nextMs - now);
    if (isSemanticallyEqual(StatefulSetStatus, status, set.status)) return;
    await this.updateStatus(set, (latest) => {
      latest.status = status;
    });
  }

  /** Deletes the oldest revisions beyond revisionHistoryLimit that no pod has. */
  async #deleteOldRevisions(
    set: StatefulSet,
    { revisions }: History,
    { currentRevision, updateRevision }: ObservedRevisions,
  ): Promise<void> {
    const { metadata, spec } = set;
    const { revisionHistoryLimit = 10 } = spec;
    if (revisions.length <= revisionHistoryLimit) return;
    const used = this.childrenOf(metadata.uid ?? '').map((pod) => pod.metadata.labels?.[revisionLabel]);
    const inUse = new Set([currentRevision, updateRevision, ...used]);
    const isInUse = (revision: History['update']) => inUse.has(revision.metadata.name);
    await this.#history.delete(revisionsToDelete(revisions, isInUse, revisionHistoryLimit));
  }
}

/** Ends with the first error. */
async function inOrder(count: number, operation: () => Promise<void>): Promise<{ error: unknown }> {
  for (let index = 0; index < count; index++) {
    try {
      await operation();
    } catch (error) {
      return { error };
    }
  }
  return { error: undefined };
}

/** The revisions in the status. */
const revisionsOf = ({ status }: StatefulSet): ObservedRevisions => ({
  currentRevision: status.currentRevision ?? '',
  updateRevision: status.updateRevision ?? '',
  collisionCount: status.collisionCount ?? 0,
});

const isMember = (setName = '', name = '') => ordinalOf(setName, name) !== undefined;

const podKey = ({ metadata }: Pod) => `${metadata.namespace}/${metadata.name}`;
