// Job: reads status conditions.
import type { Job, JobCondition, JobStatus } from './job.ts';

export function isConditionTrue({ conditions = [] }: JobStatus, type: JobCondition['type']): boolean {
  return conditions.some((condition) => condition.type === type && condition.status === 'True');
}

/** The condition with which a Job is finished; undefined while it runs. */
export function finishedCondition({ status }: Pick<Job, 'status'>): JobCondition | undefined {
  return status?.conditions?.find(
    (condition) =>
      (condition.type === 'Complete' || condition.type === 'Failed') && condition.status === 'True',
  );
}
