// cronjob-controller: creates Jobs on schedule, maintains status.active, and deletes finished Jobs beyond the history limits.
import type { CronJob, CronJobStatus } from '../../apis/batch/cronjob.ts';
import type { Job } from '../../apis/batch/job.ts';
import { finishedCondition } from '../../apis/batch/job-conditions.ts';
import { parseSchedule, type Schedule } from '../../apis/batch/schedule.ts';
import { isTimeZone } from '../../apis/batch/time-zone.ts';
import type { Manifest } from '../../client/client.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject, OwnerReference } from '../../kind/api-object.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { jobFor, jobNameFor } from './job-from-template.ts';
import { wallClockIn } from './local-time.ts';
import { type DueTimes, dueTimesBetween, manyMissedTimes, nextTime } from './schedule-times.ts';

/** Timers may fire early: a Job is not created before its time. */
const timerMarginMs = 100;
/** The event recorder drops further events about one object. */
const maxMissingEvents = 25;
/** The event source. */
const component = 'cronjob-controller';

/** What one reconciliation has read and changed. The status is written at its end. */
interface ReconcileState {
  readonly cronJob: CronJob;
  readonly jobs: readonly Job[];
  readonly now: number;
  /** The new status.active. */
  active: NonNullable<CronJobStatus['active']>;
}

const cronJobs = { group: 'batch', version: 'v1', resource: 'cronjobs' } as const;
const jobs = { group: 'batch', version: 'v1', resource: 'jobs' } as const;

export class CronJobController implements Controller {
  readonly #context: ControllerContext;
  readonly #cronJobs: Informer<CronJob>;
  readonly #jobs: Informer<Job>;
  readonly #queue: WorkQueue;
  /** By CronJob, until when missed runs have been reported. */
  readonly #missedReportedUntil = new Map<string, number>();

  constructor(context: ControllerContext) {
    const { informers, newQueue } = context;
    this.#context = context;
    this.#queue = newQueue({ name: 'cronjob', reconcile: (key) => this.#reconcile(key), workers: 5 });
    this.#jobs = informers.informer<Job>(
      jobs,
      {
        onAdd: (job) => this.#enqueueOwner(job),
        onUpdate: (oldJob, newJob) => {
          this.#enqueueOwner(oldJob);
          this.#enqueueOwner(newJob);
        },
        onDelete: (job) => this.#enqueueOwner(job),
      },
      { cronJobUid: (job) => ownerUids(job) },
    );
    this.#cronJobs = informers.informer<CronJob>(cronJobs, {
      onAdd: ({ key }) => this.#queue.add(key),
      onUpdate: (_oldCronJob, { key }) => this.#queue.add(key),
      onDelete: ({ key }) => this.#missedReportedUntil.delete(key),
      onReset: () => {
        this.#queue.clear();
        this.#missedReportedUntil.clear();
      },
    });
  }

  start(): void {
    this.#jobs.start();
    this.#cronJobs.start();
  }

  reset(): void {
    this.#jobs.reset();
    this.#cronJobs.reset();
    this.start();
  }

  async close(): Promise<void> {
    this.#jobs.close();
    this.#cronJobs.close();
    await this.#queue.close();
  }

  #enqueueOwner(job: InformerObject<Job>): void {
    const owner = controllingCronJob(job);
    if (owner) this.#queue.add(`${job.namespace}/${owner.name}`);
  }

  async #reconcile(key: string): Promise<void> {
    await this.#jobs.hasSynced;
    const cached = this.#cronJobs.getByKey(key);
    if (!cached) return;
    const cronJob = cached.decode();
    const oldStatus = JSON.stringify(cronJob.status);
    const jobs = this.#jobs.byIndex('cronJobUid', cronJob.metadata.uid!).map((job) => job.decode());
    const now = this.#context.clock.now();
    const state: ReconcileState = { cronJob, jobs, now, active: cronJob.status.active ?? [] };
    this.#updateActive(state);
    await this.#deleteOldJobs(state);
    try {
      if (!cronJob.metadata.deletionTimestamp) await this.#createDueJob(key, state);
    } finally {
      cronJob.status.active = state.active;
      if (JSON.stringify(cronJob.status) !== oldStatus)
        await this.#writeStatus(cronJob, cached.resourceVersion);
    }
  }

  /** Updates status.active and status.lastSuccessfulTime. */
  #updateActive(state: ReconcileState): void {
    const { cronJob, jobs } = state;
    const { status } = cronJob;
    const activeUids = new Set(state.active.map(({ uid }) => uid));
    for (const job of jobs) {
      const { name, uid } = job.metadata;
      const finished = finishedCondition(job)?.type;
      const isActive = activeUids.has(uid);
      if (!isActive && !finished) {
        this.#recordEvent(
          cronJob,
          'Warning',
          'UnexpectedJob',
          `Saw a job that the controller did not create or forgot: ${name}`,
        );
      } else if (isActive && finished) {
        activeUids.delete(uid);
        this.#recordEvent(
          cronJob,
          'Normal',
          'SawCompletedJob',
          `Saw completed job: ${name}, condition: ${finished}`,
        );
      }
      const completionTime = finished === 'Complete' ? job.status.completionTime : undefined;
      if (completionTime && (!status.lastSuccessfulTime || completionTime > status.lastSuccessfulTime))
        status.lastSuccessfulTime = completionTime;
    }
    const existingUids = new Set(jobs.map(({ metadata }) => metadata.uid));
    const missing = state.active.filter(({ uid }) => !existingUids.has(uid));
    // The status may list very many Jobs, which a client wrote.
    for (const { name } of missing.slice(0, maxMissingEvents)) {
      this.#recordEvent(cronJob, 'Normal', 'MissingJob', `Active job went missing: ${name}`);
    }
    state.active = state.active.filter(({ uid }) => activeUids.has(uid) && existingUids.has(uid));
  }

  /** Deletes finished Jobs beyond the history limits. */
  async #deleteOldJobs({ cronJob, jobs }: ReconcileState): Promise<void> {
    const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = cronJob.spec;
    await this.#deleteBeyondLimit(
      cronJob,
      jobs.filter((job) => finishedCondition(job)?.type === 'Complete'),
      successfulJobsHistoryLimit,
    );
    await this.#deleteBeyondLimit(
      cronJob,
      jobs.filter((job) => finishedCondition(job)?.type === 'Failed'),
      failedJobsHistoryLimit,
    );
  }

  async #deleteBeyondLimit(cronJob: CronJob, jobs: readonly Job[], limit: number | undefined): Promise<void> {
    if (limit === undefined || jobs.length <= limit) return;
    // '~' sorts after all timestamps: a Job that never started counts as the youngest.
    const sortKey = (job: Job) => `${job.status.startTime ?? '~'} ${job.metadata.name}`;
    const oldestFirst = jobs.toSorted((left, right) => (sortKey(left) < sortKey(right) ? -1 : 1));
    for (const job of oldestFirst.slice(0, jobs.length - limit)) await this.#deleteJob(cronJob, job);
  }

  /** Creates the Job that is due, and requeues for the next time. */
  async #createDueJob(key: string, state: ReconcileState): Promise<void> {
    const { cronJob, now } = state;
    const { spec, status, metadata } = cronJob;
    const schedule = this.#scheduleToRun(cronJob);
    if (!schedule) return;
    const clock = wallClockIn(schedule.timeZone ?? spec.timeZone);
    const next = nextTime(schedule, clock, now);
    if (next !== undefined) this.#queue.addAfter(key, next - now + timerMarginMs);
    const lastScheduled = Date.parse(status.lastScheduleTime ?? metadata.creationTimestamp!);
    const deadline = spec.startingDeadlineSeconds;
    // A Job whose startingDeadlineSeconds have passed is not started any more.
    const earliestStartable =
      deadline === undefined ? lastScheduled : Math.max(lastScheduled, now - Number(deadline) * 1000);
    if (this.#context.dialect.rules.missedCronJobRunsFail)
      this.#reportMissed(key, cronJob, dueTimesBetween(schedule, clock, lastScheduled, earliestStartable));
    // Of several due times only the latest gets a Job.
    const { latest: dueTime, count } = dueTimesBetween(schedule, clock, earliestStartable, now);
    if (count > manyMissedTimes)
      this.#recordEvent(cronJob, 'Warning', 'TooManyMissedTimes', tooManyMissedMessage);
    if (dueTime === undefined) return;
    if (state.active.some(({ name }) => name === jobNameFor(cronJob, dueTime))) return;
    if (spec.concurrencyPolicy === 'Forbid' && state.active.length > 0) {
      this.#recordEvent(cronJob, 'Normal', 'JobAlreadyActive', jobAlreadyActiveMessage);
      return;
    }
    if (spec.concurrencyPolicy === 'Replace') await this.#deleteActiveJobs(state);
    const job = await this.#createJob(cronJob, jobFor(cronJob, dueTime, clock, this.#context.dialect));
    if (!job) return;
    state.active = [...state.active, activeReference(job)];
    status.lastScheduleTime = `${new Date(dueTime).toISOString().slice(0, 19)}Z`;
  }

  /** Undefined if the CronJob is suspended or invalid, which an Event reports. */
  #scheduleToRun(cronJob: CronJob): Schedule | undefined {
    const { timeZone, suspend, schedule: text } = cronJob.spec;
    if (timeZone && !isTimeZone(timeZone)) {
      const message = `invalid timeZone: ${JSON.stringify(timeZone)}: unknown time zone ${timeZone}`;
      this.#recordEvent(cronJob, 'Warning', 'UnknownTimeZone', message);
      return undefined;
    }
    if (suspend) return undefined;
    const schedule = parseSchedule(text);
    if (!('problem' in schedule)) return schedule;
    const message = `unparseable schedule: ${JSON.stringify(text)} : ${schedule.problem}`;
    this.#recordEvent(cronJob, 'Warning', 'UnparseableSchedule', message);
    return undefined;
  }

  async #deleteActiveJobs(state: ReconcileState): Promise<void> {
    for (const { uid } of state.active) {
      const job = state.jobs.find(({ metadata }) => metadata.uid === uid);
      if (job) await this.#deleteJob(state.cronJob, job);
    }
    state.active = [];
  }

  /** A run after its startingDeadlineSeconds is missed. Reports the latest one as an Event. */
  #reportMissed(key: string, cronJob: CronJob, { latest, count }: DueTimes): void {
    if (latest === undefined || latest <= (this.#missedReportedUntil.get(key) ?? 0)) return;
    this.#missedReportedUntil.set(key, latest);
    const earlier = count > 1 ? `, and ${count - 1} before it` : '';
    const message = `Missed scheduled time to start a job: ${formatRfc1123(latest)}${earlier}. It counts as failed`;
    this.#recordEvent(cronJob, 'Warning', 'MissSchedule', message);
  }

  /** Returns the Job, also if it exists already; undefined if it has finished, is not ours, or its namespace is terminating. */
  async #createJob(cronJob: CronJob, manifest: Manifest): Promise<ApiObject | undefined> {
    const { client } = this.#context;
    const { name, namespace } = manifest.metadata;
    try {
      const job = await client.create(manifest, this.#context.identity);
      this.#recordEvent(cronJob, 'Normal', 'SuccessfulCreate', `Created job ${name}`);
      return job;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.reason === 'AlreadyExists') {
        const job = await client.get({
          apiVersion: 'batch/v1',
          kind: 'Job',
          name: name!,
          namespace: namespace!,
        });
        const isOwned = job.metadata.ownerReferences?.some(({ uid }) => uid === cronJob.metadata.uid);
        return isOwned && !finishedCondition(job as Job) ? job : undefined;
      }
      const isNamespaceTerminating = error.details?.causes?.some(
        ({ reason }) => reason === 'NamespaceTerminating',
      );
      if (isNamespaceTerminating) return undefined;
      this.#recordEvent(cronJob, 'Warning', 'FailedCreate', `Error creating job: ${error.message}`);
      throw error;
    }
  }

  async #deleteJob(cronJob: CronJob, { metadata }: Job): Promise<void> {
    const { name, namespace, uid } = metadata;
    const job = { apiVersion: 'batch/v1', kind: 'Job', name: name!, namespace: namespace! };
    try {
      await this.#context.client.delete(job, {
        propagationPolicy: 'Background',
        preconditions: { uid: uid! },
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 404 || error.code === 409) return;
      this.#recordEvent(cronJob, 'Warning', 'FailedDelete', `Deleted job: ${error.message}`);
      throw error;
    }
    this.#recordEvent(cronJob, 'Normal', 'SuccessfulDelete', `Deleted job ${name}`);
  }

  async #writeStatus(cronJob: CronJob, resourceVersion: string): Promise<void> {
    const manifest = { ...cronJob, apiVersion: 'batch/v1', kind: 'CronJob' } as unknown as Manifest;
    const metadata = { ...manifest.metadata, resourceVersion };
    await this.#context.client.updateStatus({ ...manifest, metadata }, this.#context.identity);
  }

  #recordEvent(cronJob: CronJob, type: 'Normal' | 'Warning', reason: string, message: string): void {
    const { name, namespace, uid, resourceVersion } = cronJob.metadata;
    const involvedObject = {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      name: name!,
      namespace: namespace!,
      uid: uid!,
      ...(resourceVersion && { resourceVersion }),
    };
    this.#context.events.record({ involvedObject, type, reason, message, component });
  }
}

const controllerJson = Buffer.from('"controller":true');

/** The controller reference of a Job, if it is a CronJob. */
function controllingCronJob(job: InformerObject<Job>): OwnerReference | undefined {
  // A Job without a controller need not be parsed.
  if (!job.json.includes(controllerJson)) return undefined;
  const owner = job.metadata()?.ownerReferences?.find(({ controller }) => controller);
  return owner?.kind === 'CronJob' ? owner : undefined;
}

const ownerUids = (job: InformerObject<Job>) => {
  const owner = controllingCronJob(job);
  return owner ? [owner.uid] : [];
};

function activeReference({ metadata }: ApiObject) {
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    name: name!,
    namespace: namespace!,
    uid: uid!,
    resourceVersion: resourceVersion!,
  };
}

const tooManyMissedMessage =
  'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';

const jobAlreadyActiveMessage =
  'Not starting job because prior execution is running and concurrency policy is Forbid';

/** RFC 1123, as in upstream's events. */
const formatRfc1123 = (time: number) => new Date(time).toUTCString().replace('GMT', '+0000');
