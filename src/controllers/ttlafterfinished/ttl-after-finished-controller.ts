// ttl-after-finished-controller: deletes finished Jobs after spec.ttlSecondsAfterFinished.
import type { Job } from '../../apis/batch/job.ts';
import { finishedCondition } from '../../apis/batch/job-conditions.ts';
import { ApiError } from '../../errors/status.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import { InformerController } from '../runtime/informer-controller.ts';

const jobs = { group: 'batch', version: 'v1', resource: 'jobs' } as const;

export class TtlAfterFinishedController extends InformerController<Job> {
  readonly #context: ControllerContext;
  readonly #stopped = new AbortController();

  constructor(context: ControllerContext) {
    super(context, jobs, { name: 'ttl_jobs_to_delete', workers: 5 });
    this.#context = context;
  }

  override async close(): Promise<void> {
    this.#stopped.abort();
    await super.close();
  }

  protected async reconcile(key: string): Promise<void> {
    const job = this.informer.getByKey(key)?.tryDecodeLazily();
    const expiresMs = job && expirationMs(job);
    if (expiresMs === undefined) return;
    const remainingMs = expiresMs - this.#context.clock.now();
    if (remainingMs > 0) this.queue.addAfter(key, remainingMs);
    else await this.#delete(job!);
  }

  /** A Job that changes meanwhile, such as by a longer TTL, is not deleted. */
  async #delete({ metadata }: Job): Promise<void> {
    const { client, identity } = this.#context;
    const { name = '', namespace = '', uid = '', resourceVersion = '' } = metadata;
    const job = { apiVersion: 'batch/v1', kind: 'Job', name, namespace };
    const preconditions = { uid, resourceVersion };
    const caller = { user: identity.user, signal: this.#stopped.signal };
    try {
      await client.delete(job, { propagationPolicy: 'Foreground', preconditions }, caller);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 404)) throw error;
    }
  }
}

/** When a Job is to be deleted, in milliseconds since the epoch; undefined if it is not. */
function expirationMs(job: Job): number | undefined {
  const { ttlSecondsAfterFinished } = job.spec;
  const finishedAt = finishedCondition(job)?.lastTransitionTime;
  if (job.metadata.deletionTimestamp || ttlSecondsAfterFinished === undefined || !finishedAt)
    return undefined;
  return Date.parse(finishedAt) + ttlSecondsAfterFinished * 1000;
}
