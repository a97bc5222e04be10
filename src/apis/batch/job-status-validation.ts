// Job: validation of updates of the status subresource (upstream: ValidateJobUpdateStatus).
import {
  duplicate,
  type FieldError,
  FormattedValue,
  invalid,
  invalidWithoutValue,
  required,
} from '../../errors/field-error.ts';
import { validateNonNegativeCounts } from '../apps/status-counts.ts';
import { firstCommonIndex, parseIndexes } from './completion-indexes.ts';
import { type Job, type JobCondition, type JobStatus, UncountedTerminatedPods } from './job.ts';
import { finishedCondition, isConditionTrue } from './job-conditions.ts';

/**
 * Validates a status update. A rule runs only if the update changes a field that it concerns, so that jobs which
 * already violate it can still be updated.
 */
export function validateJobStatusChange(job: Job, old: Job): FieldError[] {
  const change = new JobStatusChange(job, old);
  return [
    ...validateNonNegativeCounts(job.status, ['active', 'succeeded', 'failed', 'ready', 'terminating']),
    ...validateUncounted(job.status),
    ...validateExclusiveConditions(change),
    ...validateTimes(change),
    ...validateInterimConditions(change),
    ...validateFinishedJob(change),
    ...validateIndexes(change),
    ...validateNoPods('terminating', change),
    ...validateReadyCount(change),
    ...validateSuccessCriteria(change),
    ...validateTerminalConditionsKept(change),
    ...validateCountersMonotonic(change),
    ...validateTimesUpdate(change),
    ...validateSuccessCriteriaKept(change),
  ];
}

class JobStatusChange {
  readonly spec: Job['spec'];
  readonly status: JobStatus;
  readonly old: JobStatus;

  constructor({ spec, status }: Job, { status: old }: Job) {
    this.spec = spec;
    this.status = status;
    this.old = old;
  }

  /** Whether any of these fields changed. */
  changes(...fields: (keyof JobStatus)[]): boolean {
    return fields.some((field) => comparableText(this.status[field]) !== comparableText(this.old[field]));
  }

  /** Whether any of these conditions changed to or from True. */
  togglesCondition(...types: JobCondition['type'][]): boolean {
    return types.some((type) => isConditionTrue(this.status, type) !== isConditionTrue(this.old, type));
  }

  get togglesFinished(): boolean {
    return isFinished(this.status) !== isFinished(this.old);
  }
}

/** The encoding of a field's value, for comparing the old with the new one. */
function comparableText(value: JobStatus[keyof JobStatus]): string {
  if (value !== undefined && typeof value === 'object' && !Array.isArray(value)) {
    return UncountedTerminatedPods.write(value);
  }
  return JSON.stringify(value ?? null);
}

const isFinished = (status: JobStatus) => finishedCondition({ status }) !== undefined;

function validateUncounted({ uncountedTerminatedPods: pods }: JobStatus): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const field of ['succeeded', 'failed'] as const) {
    for (const [i, uid] of (pods?.[field] ?? []).entries()) {
      const path = `status.uncountedTerminatedPods.${field}[${i}]`;
      if (uid === '') errors.push(invalid(path, uid, 'must not be empty'));
      else if (seen.has(uid)) errors.push(duplicate(path, uid));
      seen.add(uid);
    }
  }
  return errors;
}

const conditionsPath = 'status.conditions';

function validateExclusiveConditions(change: JobStatusChange): FieldError[] {
  const { status } = change;
  const errors: FieldError[] = [];
  if (!isConditionTrue(status, 'Complete')) return errors;
  if (change.togglesCondition('Complete', 'Failed') && isConditionTrue(status, 'Failed')) {
    errors.push(invalidWithoutValue(conditionsPath, 'cannot set Complete=True and Failed=true conditions'));
  }
  if (change.togglesCondition('Complete', 'FailureTarget') && isConditionTrue(status, 'FailureTarget')) {
    errors.push(
      invalidWithoutValue(conditionsPath, 'cannot set Complete=True and FailureTarget=true conditions'),
    );
  }
  return errors;
}

function validateTimes(change: JobStatusChange): FieldError[] {
  const { startTime, completionTime } = change.status;
  const path = 'status.completionTime';
  const isComplete = isConditionTrue(change.status, 'Complete');
  const errors: FieldError[] = [];
  if (change.togglesCondition('Complete') || change.changes('completionTime')) {
    if (completionTime !== undefined && !isComplete) {
      const detail = 'cannot set completionTime when there is no Complete=True condition';
      errors.push(invalid(path, formatTime(completionTime), detail));
    }
    if (completionTime === undefined && isComplete) {
      errors.push(required(path, 'completionTime is required for Complete jobs'));
    }
  }
  if (
    change.changes('startTime', 'completionTime') &&
    startTime &&
    completionTime &&
    completionTime < startTime
  ) {
    errors.push(invalid(path, formatTime(completionTime), 'completionTime cannot be set before startTime'));
  }
  return errors;
}

/** A timestamp as Go's time.Time prints it. */
const formatTime = (moment: string) =>
  new FormattedValue(`${moment.replace('T', ' ').replace('Z', '')} +0000 UTC`);

/** A terminal condition requires its interim one: FailureTarget before Failed, SuccessCriteriaMet before Complete. */
function validateInterimConditions(change: JobStatusChange): FieldError[] {
  const { status } = change;
  const errors: FieldError[] = [];
  const requireInterim = (terminal: JobCondition['type'], interim: JobCondition['type']) => {
    if (!isConditionTrue(status, terminal) || isConditionTrue(status, interim)) return;
    errors.push(
      invalidWithoutValue(
        conditionsPath,
        `cannot set ${terminal}=True condition without the ${interim}=true condition`,
      ),
    );
  };
  if (change.togglesCondition('Failed') || change.changes('failedIndexes'))
    requireInterim('Failed', 'FailureTarget');
  if (change.togglesCondition('Complete', 'SuccessCriteriaMet'))
    requireInterim('Complete', 'SuccessCriteriaMet');
  return errors;
}

function validateFinishedJob(change: JobStatusChange): FieldError[] {
  const { spec, status } = change;
  if (!isFinished(status)) return [];
  const errors = validateNoPods('active', change);
  // A suspended job without completions finishes although it never starts.
  const neverRan = spec.suspend === true && spec.completions === 0;
  if (
    status.startTime === undefined &&
    (change.togglesFinished || change.changes('startTime')) &&
    !neverRan
  ) {
    errors.push(required('status.startTime', 'startTime is required for finished job'));
  }
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const hasUncountedPods = succeeded.length + failed.length > 0;
  if (hasUncountedPods && (change.togglesFinished || change.changes('uncountedTerminatedPods'))) {
    const detail = 'uncountedTerminatedPods needs to be empty for finished job';
    errors.push(invalid('status.uncountedTerminatedPods', formatPods(succeeded, failed), detail));
  }
  return errors;
}

/** A finished job has no active or terminating pods. */
function validateNoPods(field: 'active' | 'terminating', change: JobStatusChange): FieldError[] {
  const count = change.status[field] ?? 0;
  if (count <= 0 || !isFinished(change.status) || !(change.togglesFinished || change.changes(field)))
    return [];
  return [invalid(`status.${field}`, count, `${field}>0 is invalid for finished job`)];
}

/** UncountedTerminatedPods as Go's %#v prints them. */
function formatPods(succeeded: readonly string[], failed: readonly string[]): FormattedValue {
  const formatUids = (uids: readonly string[]) =>
    uids.length === 0
      ? '[]types.UID(nil)'
      : `[]types.UID{${uids.map((uid) => JSON.stringify(uid)).join(', ')}}`;
  return new FormattedValue(
    `batch.UncountedTerminatedPods{Succeeded:${formatUids(succeeded)}, Failed:${formatUids(failed)}}`,
  );
}

function validateIndexes(change: JobStatusChange): FieldError[] {
  const { spec, status } = change;
  const { completions } = spec;
  const { completedIndexes = '', failedIndexes } = status;
  const errors: FieldError[] = [];
  const validateFormat = (name: 'completedIndexes' | 'failedIndexes', text: string) => {
    if (completions === undefined || !change.changes(name)) return;
    const parsed = parseIndexes(text, completions);
    if ('problem' in parsed) {
      errors.push(invalid(`status.${name}`, text, `error parsing ${name}: ${parsed.problem}`));
    }
  };
  validateFormat('completedIndexes', completedIndexes);
  if (failedIndexes !== undefined && spec.backoffLimitPerIndex !== undefined) {
    validateFormat('failedIndexes', failedIndexes);
  }
  if (change.changes('completedIndexes') && completedIndexes !== '' && spec.completionMode !== 'Indexed') {
    const detail = 'cannot set non-empty completedIndexes when non-indexed completion mode';
    errors.push(invalid('status.completedIndexes', completedIndexes, detail));
  }
  if (failedIndexes === undefined) return errors;
  if (change.changes('failedIndexes') && spec.backoffLimitPerIndex === undefined) {
    const detail = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
    errors.push(invalid('status.failedIndexes', failedIndexes, detail));
  }
  if (completions !== undefined && change.changes('failedIndexes', 'completedIndexes')) {
    const failed = parseIndexes(failedIndexes, completions);
    const completed = parseIndexes(completedIndexes, completions);
    const commonIndex =
      'problem' in failed || 'problem' in completed ? undefined : firstCommonIndex(failed, completed);
    if (commonIndex !== undefined) {
      const detail = `failedIndexes and completedIndexes overlap at index: ${commonIndex}`;
      errors.push(invalid('status.failedIndexes', failedIndexes, detail));
    }
  }
  return errors;
}

function validateSuccessCriteria({ spec, status }: JobStatusChange): FieldError[] {
  if (!isConditionTrue(status, 'SuccessCriteriaMet')) {
    if (!spec.successPolicy || !isConditionTrue(status, 'Complete')) return [];
    const detail = 'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True';
    return [invalidWithoutValue(conditionsPath, detail)];
  }
  return (['FailureTarget', 'Failed'] as const)
    .filter((type) => isConditionTrue(status, type))
    .map((type) =>
      invalidWithoutValue(conditionsPath, `cannot set SuccessCriteriaMet=True and ${type}=true conditions`),
    );
}

function validateReadyCount(change: JobStatusChange): FieldError[] {
  const { ready, active = 0 } = change.status;
  if (ready === undefined || ready <= active || !change.changes('ready', 'active')) return [];
  return [invalid('status.ready', ready, 'cannot set more ready pods than active')];
}

function validateTerminalConditionsKept({ status, old }: JobStatusChange): FieldError[] {
  return (['Failed', 'Complete', 'FailureTarget'] as const)
    .filter((type) => isConditionTrue(old, type) && !isConditionTrue(status, type))
    .map((type) => invalidWithoutValue(conditionsPath, `cannot disable the terminal ${type}=True condition`));
}

function validateSuccessCriteriaKept({ status, old }: JobStatusChange): FieldError[] {
  if (!isConditionTrue(old, 'SuccessCriteriaMet') || isConditionTrue(status, 'SuccessCriteriaMet')) return [];
  return [invalidWithoutValue(conditionsPath, 'cannot disable the SuccessCriteriaMet=True condition')];
}

/** failed and succeeded never decrease, except succeeded of an elastic Indexed job. */
function validateCountersMonotonic({ spec, status, old }: JobStatusChange): FieldError[] {
  const isElasticIndexed = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  return (['failed', 'succeeded'] as const)
    .filter((name) => name === 'failed' || !isElasticIndexed)
    .filter((name) => (status[name] ?? 0) < (old[name] ?? 0))
    .map((name) => invalid(`status.${name}`, status[name] ?? 0, `cannot decrease the ${name} counter`));
}

function validateTimesUpdate({ spec, status, old }: JobStatusChange): FieldError[] {
  const errors: FieldError[] = [];
  const { completionTime } = status;
  if (completionTime && old.completionTime && completionTime !== old.completionTime) {
    const detail = 'completionTime cannot be mutated';
    errors.push(invalid('status.completionTime', formatTime(completionTime), detail));
  }
  const isResumed = isConditionTrue(old, 'Suspended') && !isConditionTrue(status, 'Suspended');
  const mayChangeStart = spec.suspend || (isResumed && status.startTime !== undefined);
  if (old.startTime !== undefined && status.startTime !== old.startTime && !mayChangeStart) {
    errors.push(required('status.startTime', 'startTime cannot be removed for unsuspended job'));
  }
  return errors;
}
