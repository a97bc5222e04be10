// storage-version-migrator-controller: the conditions of a StorageVersionMigration.
import type {
  MigrationCondition,
  StorageVersionMigrationStatus,
} from '../../apis/storagemigration/storageversionmigration.ts';

const reasons = {
  Running: 'StorageVersionMigrationInProgress',
  Succeeded: 'StorageVersionMigrationSucceeded',
  Failed: 'StorageVersionMigrationFailed',
} as const;

interface NewCondition {
  readonly type: keyof typeof reasons;
  readonly now: string;
  readonly message?: string | undefined;
}

/** Sets a condition to True; Succeeded and Failed end Running. */
export function withCondition(
  status: StorageVersionMigrationStatus,
  { type, now, message }: NewCondition,
): StorageVersionMigrationStatus {
  const conditions = (status.conditions ?? [])
    .filter((condition) => condition.type !== type)
    .map((condition) => (condition.type === 'Running' ? { ...condition, status: 'False' } : condition));
  const newCondition: MigrationCondition = {
    type,
    status: 'True',
    lastUpdateTime: now,
    reason: reasons[type],
    ...(message !== undefined && { message }),
  };
  return { ...status, conditions: [...conditions, newCondition] };
}
