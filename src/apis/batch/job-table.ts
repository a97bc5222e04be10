// Job: printer columns of its Table (upstream: printers/internalversion printJob).

import { age, containerCells, humanDuration, since } from '../../kind/table/cells.ts';
import { ageColumn, column, containerColumns, nameColumn, selectorColumn } from '../../kind/table/columns.ts';
import type { AgeFormatter, TableLayout } from '../../kind/table.ts';
import { selectorCell } from '../apps/table-cells.ts';
import type { Job } from './job.ts';

export const jobTable: TableLayout<Job> = {
  columns: [
    nameColumn,
    column('Status', 'The state of the Job.'),
    column('Completions', 'The number of succeeded pods of the required number.'),
    column('Duration', 'The time from start to completion, or until now.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(job, ages) {
    const { spec, metadata } = job;
    return [
      metadata.name ?? '',
      jobStatus(job),
      completions(job),
      duration(job, ages),
      age(job, ages),
      ...containerCells(spec.template.spec),
      selectorCell(spec.selector),
    ];
  },
};

function jobStatus({ metadata, status }: Job): string {
  const isConditionTrue = (expected: string) =>
    (status.conditions ?? []).some(
      ({ type, status: conditionStatus }) => type === expected && conditionStatus === 'True',
    );
  if (isConditionTrue('Complete')) return 'Complete';
  if (isConditionTrue('Failed')) return 'Failed';
  if (metadata.deletionTimestamp) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(isConditionTrue) ?? 'Running';
}

/** Succeeded of required pods. Without spec.completions one success suffices: `0/1 of 3` for a parallelism of 3. */
function completions({ spec, status }: Job): string {
  const succeeded = status.succeeded ?? 0;
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const { parallelism = 0 } = spec;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function duration({ status: { startTime, completionTime } }: Job, ages: AgeFormatter): string {
  if (!startTime) return '';
  return completionTime
    ? humanDuration(Date.parse(completionTime) - Date.parse(startTime))
    : since(startTime, ages);
}
