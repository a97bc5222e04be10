// cronjob-controller: creates Jobs on schedule.
import type { CronJob, CronJobStatus } from '../../apis/batch/cronjob.ts';
import type { Job } from '../../apis/batch/job.ts';
import { parseSchedule } from '../../apis/batch/schedule.ts';
import { isTimeZone } from '../../apis/batch/time-zone.ts';
import type { Manifest } from '../../client/client.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import { decodeStored } from '../../kind/storage/codec.ts';
import { Reflector } from '../../store/reflector.ts';
import type { StoredObject } from '../../store/store.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { jobFor, jobNameFor } from './job-from-template.ts';
import { JobsOfOwners } from './job-index.ts';
import { wallClock } from './local-time.ts';
import { type Due, lastDue, manyMissed, nextTime } from './schedule-times.ts';

/** Timers may fire early: a Job is not created before its time. */
const margin = 100;
const component = 'cronjob-controller';

/** State of one reconciliation; the status is written at its end. */
interface Look {
  readonly cronJob: CronJob;
  readonly jobs: readonly Job[];
  readonly now: number;
  active: NonNullable<CronJobStatus['active']>;
}

/** Creates Jobs on schedule, maintains status.active, and deletes finished Jobs beyond the history limits. */
export class CronJobController implements Controller {
  readonly #context: ControllerContext;
  readonly #cronJobs;
  readonly #jobs: JobsOfOwners;
  readonly #queue: WorkQueue;
  readonly #follower: Reflector;
  /** By CronJob, until when missed runs have been reported. */
  readonly #reported = new Map<string, number>();

  constructor(context: ControllerContext) {
    const { api, newQueue } = context;
    this.#context = context;
    this.#cronJobs = api.registry.kind('batch', 'v1', 'cronjobs');
    this.#queue = newQueue({ name: 'cronjob', reconcile: (key) => this.#look(key), workers: 5 });
    this.#jobs = new JobsOfOwners(api, (key) => this.#queue.add(key));
    this.#follower = new Reflector(api.store, this.#cronJobs.prefix, {
      add: ({ key }) => this.#queue.add(key),
      remove: ({ key }, isReplaced) => {
        if (!isReplaced) this.#reported.delete(key);
      },
      clear: () => {
        this.#queue.clear();
        this.#reported.clear();
      },
    });
  }

  start(): void {
    void this.#jobs.start();
    void this.#follower.warmUp();
  }

  reset(): void {
    this.#jobs.reset();
    this.#follower.reset();
    this.start();
  }

  async close(): Promise<void> {
    this.#jobs.close();
    this.#follower.close();
    await this.#queue.close();
  }

  async #look(key: string): Promise<void> {
    const { api } = this.#context;
    await this.#jobs.ready;
    const stored = api.store.get(key);
    if (!stored) return;
    const cronJob = decodeStored(this.#cronJobs, stored) as CronJob;
    const before = JSON.stringify(cronJob.status);
    const jobs = this.#jobs.of(cronJob.metadata.uid!);
    const look: Look = { cronJob, jobs, now: api.clock.now(), active: cronJob.status.active ?? [] };
    this.#settleActive(look);
    await this.#removeOld(look);
    try {
      if (!cronJob.metadata.deletionTimestamp) await this.#makeDue(key, look);
    } finally {
      cronJob.status.active = look.active;
      if (JSON.stringify(cronJob.status) !== before) await this.#writeStatus(cronJob, stored);
    }
  }

  /** Updates status.active and status.lastSuccessfulTime. */
  #settleActive(look: Look): void {
    const { cronJob, jobs } = look;
    const { status } = cronJob;
    for (const job of jobs) {
      const { name, uid } = job.metadata;
      const ended = endOf(job);
      const isActive = look.active.some((reference) => reference.uid === uid);
      if (!isActive && !ended) {
        this.#recordEvent(
          cronJob,
          'Warning',
          'UnexpectedJob',
          `Saw a job that the controller did not create or forgot: ${name}`,
        );
      } else if (isActive && ended) {
        look.active = look.active.filter((reference) => reference.uid !== uid);
        this.#recordEvent(
          cronJob,
          'Normal',
          'SawCompletedJob',
          `Saw completed job: ${name}, condition: ${ended}`,
        );
      }
      const done = ended === 'Complete' ? job.status.completionTime : undefined;
      if (done && (!status.lastSuccessfulTime || done > status.lastSuccessfulTime))
        status.lastSuccessfulTime = done;
    }
    const there = new Set(jobs.map(({ metadata }) => metadata.uid));
    for (const { uid, name } of look.active.filter((reference) => !there.has(reference.uid))) {
      look.active = look.active.filter((reference) => reference.uid !== uid);
      this.#recordEvent(cronJob, 'Normal', 'MissingJob', `Active job went missing: ${name}`);
    }
  }

  /** Deletes finished Jobs beyond the history limits. */
  async #removeOld({ cronJob, jobs }: Look): Promise<void> {
    const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = cronJob.spec;
    await this.#keep(
      cronJob,
      jobs.filter((job) => endOf(job) === 'Complete'),
      successfulJobsHistoryLimit,
    );
    await this.#keep(
      cronJob,
      jobs.filter((job) => endOf(job) === 'Failed'),
      failedJobsHistoryLimit,
    );
  }

  async #keep(cronJob: CronJob, jobs: readonly Job[], most: number | undefined): Promise<void> {
    if (most === undefined || jobs.length <= most) return;
    const begun = (job: Job) => `${job.status.startTime ?? '~'} ${job.metadata.name}`;
    const byAge = jobs.toSorted((one, other) => (begun(one) < begun(other) ? -1 : 1));
    for (const job of byAge.slice(0, jobs.length - most)) await this.#remove(cronJob, job);
  }

  /** Creates the Job that is due, and requeues for the next time. */
  async #makeDue(key: string, look: Look): Promise<void> {
    const { cronJob, jobs, now } = look;
    const { spec, status, metadata } = cronJob;
    const { timeZone } = spec;
    if (timeZone && !isTimeZone(timeZone)) {
      const why = `unknown time zone ${timeZone}`;
      this.#recordEvent(
        cronJob,
        'Warning',
        'UnknownTimeZone',
        `invalid timeZone: ${JSON.stringify(timeZone)}: ${why}`,
      );
      return;
    }
    if (spec.suspend) return;
    const schedule = parseSchedule(spec.schedule);
    if ('problem' in schedule) {
      const text = `unparseable schedule: ${JSON.stringify(spec.schedule)} : ${schedule.problem}`;
      this.#recordEvent(cronJob, 'Warning', 'UnparseableSchedule', text);
      return;
    }
    const clock = wallClock(schedule.timeZone ?? timeZone);
    const next = nextTime(schedule, clock, now);
    if (next !== undefined) this.#queue.addAfter(key, next - now + margin);
    const since = Date.parse(status.lastScheduleTime ?? metadata.creationTimestamp!);
    const deadline = spec.startingDeadlineSeconds;
    // Times before startingDeadlineSeconds are not counted.
    const from = deadline === undefined ? since : Math.max(since, now - Number(deadline) * 1000);
    if (this.#context.api.dialect.rules.missedCronJobRunsFail)
      this.#reportMissed(key, cronJob, lastDue(schedule, clock, since, from));
    const { time, missed } = lastDue(schedule, clock, from, now);
    if (missed > manyMissed) this.#recordEvent(cronJob, 'Warning', 'TooManyMissedTimes', tooMany);
    if (time === undefined) return;
    if (look.active.some(({ name }) => name === jobNameFor(cronJob, time))) return;
    if (spec.concurrencyPolicy === 'Forbid' && look.active.length > 0) {
      this.#recordEvent(cronJob, 'Normal', 'JobAlreadyActive', forbids);
      return;
    }
    if (spec.concurrencyPolicy === 'Replace') {
      for (const { uid } of look.active) {
        const job = jobs.find(({ metadata }) => metadata.uid === uid);
        if (job) await this.#remove(cronJob, job);
      }
      look.active = [];
    }
    const job = await this.#make(cronJob, jobFor(cronJob, time, clock, this.#context.api.dialect));
    if (!job) return;
    look.active = [...look.active, referenceTo(job)];
    status.lastScheduleTime = `${new Date(time).toISOString().slice(0, 19)}Z`;
  }

  /** A run after its startingDeadlineSeconds is missed. Reports the latest one as an Event. */
  #reportMissed(key: string, cronJob: CronJob, { time, missed }: Due): void {
    if (time === undefined || time <= (this.#reported.get(key) ?? 0)) return;
    this.#reported.set(key, time);
    const before = missed > 1 ? `, and ${missed - 1} before it` : '';
    const message = `Missed scheduled time to start a job: ${mailTime(time)}${before}. It counts as failed`;
    this.#recordEvent(cronJob, 'Warning', 'MissSchedule', message);
  }

  /** Returns the created or existing Job; undefined if it cannot be created. */
  async #make(cronJob: CronJob, manifest: Manifest): Promise<ApiObject | undefined> {
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
        const isOurs = job.metadata.ownerReferences?.some(({ uid }) => uid === cronJob.metadata.uid);
        return isOurs && !endOf(job as Job) ? job : undefined;
      }
      const isOnItsWayOut = error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating');
      if (isOnItsWayOut) return undefined;
      this.#recordEvent(cronJob, 'Warning', 'FailedCreate', `Error creating job: ${error.message}`);
      throw error;
    }
  }

  async #remove(cronJob: CronJob, { metadata }: Job): Promise<void> {
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

  async #writeStatus(cronJob: CronJob, stored: StoredObject): Promise<void> {
    const manifest = { ...cronJob, apiVersion: 'batch/v1', kind: 'CronJob' } as unknown as Manifest;
    const metadata = { ...manifest.metadata, resourceVersion: String(stored.revision) };
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
    this.#context.events.record({ involvedObject, type, reason, message, component: component });
  }
}

/** The finished condition of a Job; undefined while it runs. */
function endOf({ status }: Job): 'Complete' | 'Failed' | undefined {
  const ended = status?.conditions?.find(
    ({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True',
  );
  return ended?.type as 'Complete' | 'Failed' | undefined;
}

function referenceTo({ metadata }: ApiObject) {
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

const tooMany =
  'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';

const forbids = 'Not starting job because prior execution is running and concurrency policy is Forbid';

/** RFC 1123, as in upstream's events. */
const mailTime = (time: number) => new Date(time).toUTCString().replace('GMT', '+0000');
