// Job controller: sets status conditions.
import type { JobCondition } from '../../apis/batch/job.ts';

type Conditions = readonly JobCondition[];

/**
 * Adds a condition, or replaces the one of its type if it differs. A condition that would be False from the start is left out.
 * Returns the same list if nothing changes.
 */
export function setCondition(
  conditions: Conditions,
  { type, status, reason, message }: Pick<JobCondition, 'type' | 'status' | 'reason' | 'message'>,
  timestamp: string,
): Conditions {
  const old = conditions.find((condition) => condition.type === type);
  const isSame = old?.status === status && old.reason === reason && old.message === message;
  if (isSame || (!old && status === 'False')) return conditions;
  const condition: JobCondition = {
    type,
    status,
    lastProbeTime: timestamp,
    lastTransitionTime: timestamp,
    reason: reason ?? '',
    message: message ?? '',
  };
  return old ? conditions.map((other) => (other === old ? condition : other)) : [...conditions, condition];
}
