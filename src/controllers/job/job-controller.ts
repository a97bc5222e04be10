// job-controller: runs pods until as many have succeeded as a Job needs, or too many have failed, and maintains the status.
import { type Job, JobStatus } from '../../apis/batch/job.ts';
import { finishedCondition } from '../../apis/batch/job-conditions.ts';
import type { Pod } from '../../apis/core/pod.ts';
import { isReady } from '../../apis/core/pod-conditions.ts';
import { timestamp } from '../../base/clock.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import { conflict, objectModified } from '../../errors/catalogue.ts';
import { ignoreNotFound } from '../../errors/ignore-not-found.ts';
import type { OwnerReference } from '../../kind/api-object.ts';
import { isSemanticallyEqual } from '../../schema/semantic-equality.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { controllerOf } from '../workload/controller-reference.ts';
import { OwnerController } from '../workload/owner-controller.ts';
import { isNamespaceTerminating, PodControl } from '../workload/pod-control.ts';
import { slowStart } from '../workload/slow-start.ts';
import { type FailureBackoff, nextBackoff, noBackoff } from './failure-backoff.ts';
import { countReleased, trackFinishedPods } from './finished-pods.ts';
import { setCondition } from './job-conditions.ts';
import { completionsReached, deadlineMs, decideOutcome, type JobOutcome } from './job-outcome.ts';
import { type JobPod, jobPod } from './job-pods.ts';
import { type JobProgress, jobProgress } from './job-progress.ts';
import { podOfIndex, podOfJob } from './pod-from-job.ts';
import { type PodPlan, planPods } from './pod-plan.ts';

const jobs = { group: 'batch', version: 'v1', resource: 'jobs' } as const;
const pods = { group: '', version: 'v1', resource: 'pods' } as const;

/** The pods of a Job after a reconciliation has created or deleted some. */
interface PodCounts {
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
  /** The first error of a creation or deletion. */
  readonly error: unknown;
}

/** The result of creating or deleting pods. */
interface Advance {
  readonly counts: PodCounts;
  /** Set if nothing but terminating pods and uncounted pods is left. */
  readonly outcome: JobOutcome | undefined;
  readonly status: JobStatus;
}

/** What the status is to contain beside the finished pods. */
interface NewState {
  readonly outcome: JobOutcome | undefined;
  readonly status: JobStatus;
  readonly terminating: number;
  readonly backoff: FailureBackoff;
}

export class JobController extends OwnerController<Job, Pod> {
  readonly #podControl: PodControl;
  readonly #finalizer: string;
  /** Keys of pods with the tracking finalizer and without a Job, which nothing else would remove it from. */
  readonly #orphans: WorkQueue;
  /** By uid of the Job. Rebuilt from its pods after a restart. */
  readonly #backoffs = new Map<string, FailureBackoff>();

  constructor(context: ControllerContext) {
    const { client, identity, dialect, newQueue } = context;
    super(context, {
      owner: jobs,
      child: pods,
      queueName: 'job',
      workers: 5,
      component: 'job-controller',
      selectorOf: ({ spec }) => spec.selector,
      childFinalizer: dialect.finalizers.jobTracking,
    });
    this.#finalizer = dialect.finalizers.jobTracking;
    this.#podControl = new PodControl({ client, identity, events: this.events, signal: this.stopped });
    this.#orphans = newQueue({ name: 'job_orphan_pod', reconcile: (key) => this.#reconcileOrphan(key) });
  }

  override reset(): void {
    this.#orphans.clear();
    this.#backoffs.clear();
    super.reset();
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#orphans.close();
  }

  protected override onOwnerDelete(uid: string): void {
    this.#backoffs.delete(uid);
    for (const key of this.children.keysByIndex('owner', uid)) this.#orphans.add(key);
  }

  protected override onChildChange(
    { key, namespace, json }: InformerObject<Pod>,
    controller: OwnerReference | undefined,
  ): void {
    if (!json.includes(this.#finalizer)) return;
    if (!controller || !this.#jobOf(namespace, controller)) this.#orphans.add(key);
  }

  protected async reconcile(key: string, job: Job): Promise<void> {
    if (this.#hasOtherController(job)) return;
    if (finishedCondition(job)) {
      this.#backoffs.delete(job.metadata.uid ?? '');
      await this.#releaseAll(this.childrenOf(job.metadata.uid ?? ''));
    } else {
      await ignoreNotFound(this.#sync(key, job));
    }
  }

  async #sync(key: string, job: Job): Promise<void> {
    const waitMs = this.expectations.remainingMs(job.metadata.uid ?? '');
    const isSettled = waitMs === 0;
    if (!isSettled) this.queue.addAfter(key, waitMs);
    const children = await this.claimChildren(job);
    const started = this.#started(job);
    const progress = this.#progress(started, children);
    const backoff = this.#nextBackoff(progress);
    const now = this.context.clock.now();
    const decided = decideOutcome(progress, now);
    const dueMs = deadlineMs(started);
    if (dueMs !== undefined && dueMs > now) this.queue.addAfter(key, dueMs - now);

    const { counts, outcome, status } = decided
      ? await this.#end(progress, decided, isSettled)
      : await this.#advance(key, progress, backoff, isSettled);
    const { active, ready, terminating } = counts;
    const newStatus = { ...status, active, ready, ...this.#terminatingStatus(terminating) };
    await this.#track(job, progress, { outcome, status: newStatus, terminating, backoff });
    if (counts.error !== undefined) throw counts.error;
  }

  /** Deletes the active pods of a Job that has failed or succeeded. Pods that are left, or not visible yet, have to end first. */
  async #end(progress: JobProgress, outcome: JobOutcome, isSettled: boolean): Promise<Advance> {
    const counts = await this.#deletePods(progress, progress.active, false);
    const hasEnded = counts.active === 0 && isSettled;
    return { counts, outcome: hasEnded ? outcome : undefined, status: progress.job.status };
  }

  async #advance(
    key: string,
    progress: JobProgress,
    backoff: FailureBackoff,
    isSettled: boolean,
  ): Promise<Advance> {
    const { job } = progress;
    const isManaged = isSettled && job.metadata.deletionTimestamp === undefined;
    const counts = isManaged ? await this.#managePods(key, progress, backoff) : countsOf(progress);
    if (isComplete(progress, counts)) return { counts, outcome: completionsReached, status: job.status };
    return { counts, outcome: undefined, status: isManaged ? this.#withSuspension(job) : job.status };
  }

  /** A Job with the time of its first start, unless it is suspended. */
  #started(job: Job): Job {
    const { status, spec } = job;
    if (status.startTime !== undefined || spec.suspend) return job;
    return { ...job, status: { ...status, startTime: timestamp(this.context.clock) } };
  }

  #progress(job: Job, children: readonly Pod[]): JobProgress {
    const { dialect } = this.context;
    const options = { dialect, onlyReplaceFailed: this.#onlyReplacesFailed(job) };
    return jobProgress(
      job,
      children.map((pod) => jobPod(job, pod, options)),
    );
  }

  #onlyReplacesFailed({ spec }: Job): boolean {
    const isPolicyEnabled = this.context.features.enabled('JobPodReplacementPolicy');
    return (isPolicyEnabled && spec.podReplacementPolicy === 'Failed') || spec.podFailurePolicy !== undefined;
  }

  #terminatingStatus(terminating: number): Pick<JobStatus, 'terminating'> {
    return this.context.features.enabled('JobPodReplacementPolicy') ? { terminating } : {};
  }

  /** After a restart, pods that have been counted show the earlier failures. */
  #nextBackoff({ job, pods, newSucceeded, newFailed }: JobProgress): FailureBackoff {
    const counted = pods.filter(({ isTracked }) => !isTracked);
    const previous =
      this.#backoffs.get(job.metadata.uid ?? '') ??
      nextBackoff(
        noBackoff,
        counted.filter(({ state }) => state === 'succeeded'),
        counted.filter(({ state }) => state === 'failed'),
      );
    return nextBackoff(previous, newSucceeded, newFailed);
  }

  /** Creates or deletes pods of a Job that goes on. */
  async #managePods(key: string, progress: JobProgress, backoff: FailureBackoff): Promise<PodCounts> {
    const onlyReplaceFailed = this.#onlyReplacesFailed(progress.job);
    const plan = planPods(progress, { backoff, onlyReplaceFailed, now: this.context.clock.now() });
    if (plan.waitMs > 0) this.queue.addAfter(key, plan.waitMs);
    if (plan.toDelete.length > 0) return this.#deletePods(progress, plan.toDelete, true);
    const { created, error } = await this.#createPods(progress, plan);
    const counts = countsOf(progress);
    return { ...counts, active: counts.active + created, error };
  }

  async #createPods(
    { job, indexes: progress }: JobProgress,
    { toCreate, indexes }: PodPlan,
  ): Promise<{ readonly created: number; readonly error: unknown }> {
    if (toCreate === 0) return { created: 0, error: undefined };
    const { metadata } = job;
    const { uid = '' } = metadata;
    const { dialect } = this.context;
    const reference = this.ownerReference(job);
    this.expectations.expectCreations(uid, toCreate);
    let attempted = 0;
    const { succeeded, error } = await slowStart(toCreate, async () => {
      const index = indexes?.[attempted];
      attempted += 1;
      const pod =
        index === undefined
          ? podOfJob(job, reference, dialect)
          : podOfIndex(job, reference, index, progress?.toReplace.get(index), dialect);
      try {
        await this.#podControl.create(metadata, pod);
      } catch (failure) {
        this.expectations.creationObserved(uid);
        throw failure;
      }
    });
    for (; attempted < toCreate; attempted++) this.expectations.creationObserved(uid);
    // The namespace is being emptied, so there is nothing to report.
    return { created: succeeded, error: isNamespaceTerminating(error) ? undefined : error };
  }

  /** Deletes active pods. Those that are released first do not count as failed. */
  async #deletePods(
    progress: JobProgress,
    toDelete: readonly JobPod[],
    isReleased: boolean,
  ): Promise<PodCounts> {
    if (toDelete.length === 0) return countsOf(progress);
    const { metadata } = progress.job;
    const { uid = '' } = metadata;
    this.expectations.expectDeletions(uid, toDelete.map(podKey));
    const results = await Promise.allSettled(
      toDelete.map(async (deleted) => {
        let isDeleted = false;
        try {
          if (isReleased) await this.releaseFinalizer(deleted.pod, this.#finalizer);
          isDeleted = await this.#podControl.delete(metadata, deleted.pod);
        } finally {
          if (!isDeleted) this.expectations.deletionObserved(uid, podKey(deleted));
        }
      }),
    );
    const deleted = toDelete.filter((_, index) => results[index]?.status === 'fulfilled');
    const deletedReady = deleted.filter(({ pod }) => isReady(pod.status)).length;
    const { active, ready, terminating } = countsOf(progress);
    return {
      active: active - deleted.length,
      ready: ready - deletedReady,
      terminating: terminating + deleted.length,
      error: results.find((result) => result.status === 'rejected')?.reason,
    };
  }

  /** Sets the condition Suspended. A Job that is resumed starts again, so that its deadline does not include the suspension. */
  #withSuspension({ metadata, spec, status }: Job): JobStatus {
    const now = timestamp(this.context.clock);
    const conditions = status.conditions ?? [];
    const isSuspended = spec.suspend === true;
    const changed = setCondition(conditions, isSuspended ? suspended : resumed, now);
    if (changed === conditions) return status;
    const [reason, message] = isSuspended ? ['Suspended', 'Job suspended'] : ['Resumed', 'Job resumed'];
    this.events.record(metadata, 'Normal', reason!, message!);
    return { ...status, conditions: [...changed], ...(!isSuspended && { startTime: now }) };
  }

  /** Counts finished pods, removes their finalizers, and finishes the Job if it has an outcome and all pods have ended. */
  async #track(
    job: Job,
    progress: JobProgress,
    { outcome, status: newStatus, terminating, backoff }: NewState,
  ): Promise<void> {
    const { clock } = this.context;
    const finished = trackFinishedPods(progress, outcome, newStatus);
    const status = outcome ? withOutcome(finished.status, outcome, timestamp(clock)) : finished.status;
    const written = await this.#writeStatus(job, status);
    this.#backoffs.set(job.metadata.uid ?? '', backoff);
    const { released, error } = await this.#release(finished.toRelease);
    const tracked = progress.pods.filter((pod) => pod.isTracked && !released.has(pod.uid));
    const counted = countReleased(status, new Set(tracked.map(({ uid }) => uid)));
    const { succeeded = [], failed = [] } = counted.uncountedTerminatedPods ?? {};
    const hasEnded =
      succeeded.length + failed.length === 0 &&
      terminating === 0 &&
      !finished.isPartial &&
      error === undefined;
    if (!outcome || !hasEnded) {
      await this.#writeStatus(written, counted);
      if (error !== undefined) throw error;
      return;
    }
    await this.#writeStatus(written, withEnd(counted, outcome, timestamp(clock)));
    this.#recordEnd(job, outcome, counted);
  }

  #recordEnd(
    { metadata, spec }: Job,
    { type, reason, message }: JobOutcome,
    { succeeded = 0 }: JobStatus,
  ): void {
    if (type === 'FailureTarget') {
      this.events.record(metadata, 'Warning', reason, message);
      return;
    }
    if (spec.completions !== undefined && succeeded > spec.completions) {
      const tooMany = 'Too many succeeded pods running after completion count reached';
      this.events.record(metadata, 'Warning', 'TooManySucceededPods', tooMany);
    }
    this.events.record(metadata, 'Normal', 'Completed', 'Job completed');
  }

  /**
   * Replaces the status that this reconciliation has read. Counters are derived from that status, so it is a conflict if another
   * client has changed it. Returns the Job with the new status.
   */
  async #writeStatus(job: Job, status: JobStatus): Promise<Job> {
    if (isSemanticallyEqual(JobStatus, status, job.status)) return job;
    const { client, identity } = this.context;
    const { namespace, name = '', uid } = job.metadata;
    await client.mutate(
      this.owners,
      `${namespace}/${name}`,
      (latest) => {
        const isUnchanged =
          latest.metadata.uid === uid && isSemanticallyEqual(JobStatus, latest.status, job.status);
        if (!isUnchanged) throw conflict(jobs, name, objectModified);
        latest.status = status;
      },
      { subresource: 'status', ...identity },
    );
    return { ...job, status };
  }

  /** Removes the finalizers of pods. Returns the uids of those that have none any more, and the first error. */
  async #release(released: readonly JobPod[]): Promise<{ released: ReadonlySet<string>; error: unknown }> {
    const results = await Promise.allSettled(
      released.map(({ pod }) => this.releaseFinalizer(pod, this.#finalizer)),
    );
    const succeeded = released.filter((_, index) => results[index]?.status === 'fulfilled');
    return {
      released: new Set(succeeded.map(({ uid }) => uid)),
      error: results.find((result) => result.status === 'rejected')?.reason,
    };
  }

  async #releaseAll(children: readonly Pod[]): Promise<void> {
    for (const pod of children) {
      if (pod.metadata.finalizers?.includes(this.#finalizer))
        await this.releaseFinalizer(pod, this.#finalizer);
    }
  }

  /** A pod that a Job has adopted meanwhile, or that belongs to the Job of another controller, is left alone. */
  async #reconcileOrphan(key: string): Promise<void> {
    const pod = this.children.getByKey(key)?.tryDecodeLazily();
    if (!pod) return;
    const controller = controllerOf(pod.metadata);
    if (!controller || !this.#jobOf(pod.metadata.namespace ?? '', controller)) await this.#releaseAll([pod]);
  }

  /** The Job that a controller reference of a pod names; undefined if it is gone, or the controller is no Job. */
  #jobOf(namespace: string, { kind, name, uid }: OwnerReference): InformerObject<Job> | undefined {
    const job = kind === 'Job' ? this.owners.get(namespace, name) : undefined;
    return job?.metadata()?.uid === uid ? job : undefined;
  }

  #hasOtherController({ spec }: Job): boolean {
    const { features, dialect } = this.context;
    const isOther = spec.managedBy !== undefined && spec.managedBy !== dialect.jobControllerName;
    return isOther && features.enabled('JobManagedBy');
  }
}

const suspended = {
  type: 'Suspended',
  status: 'True',
  reason: 'JobSuspended',
  message: 'Job suspended',
} as const;
const resumed = { type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' } as const;

const countsOf = ({ active, ready, terminating }: JobProgress): PodCounts => ({
  active: active.length,
  ready,
  terminating,
  error: undefined,
});

/** A work queue is complete when one pod has succeeded and none is left. */
function isComplete({ job, succeeded }: JobProgress, { active }: PodCounts): boolean {
  const { completions } = job.spec;
  return active === 0 && (completions === undefined ? succeeded > 0 : succeeded >= completions);
}

/** Sets the interim condition. */
function withOutcome(status: JobStatus, { type, reason, message }: JobOutcome, now: string): JobStatus {
  const condition = { type, status: 'True', reason, message } as const;
  return { ...status, conditions: [...setCondition(status.conditions ?? [], condition, now)] };
}

/** Sets the condition Failed or Complete. */
function withEnd(status: JobStatus, { type, reason, message }: JobOutcome, now: string): JobStatus {
  const isFailure = type === 'FailureTarget';
  const condition = { type: isFailure ? 'Failed' : 'Complete', status: 'True', reason, message } as const;
  return {
    ...status,
    conditions: [...setCondition(status.conditions ?? [], condition, now)],
    ...(!isFailure && { completionTime: now }),
  };
}

const podKey = ({ pod }: JobPod) => `${pod.metadata.namespace}/${pod.metadata.name}`;
