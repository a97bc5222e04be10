import { age, containerCells, duration, none, said, since } from '../../kind/table/cells.ts';
import {
  ageColumn,
  boolean,
  column,
  containerColumns,
  integer,
  nameColumn,
  selectorColumn,
} from '../../kind/table/columns.ts';
import type { AgeFormatter, TableLayout } from '../../kind/table.ts';
import { selectorCell } from '../apps/tables.ts';
import type { CronJob } from './cronjob.ts';
import type { Job } from './job.ts';

export const cronJobTable: TableLayout<CronJob> = {
  columns: [
    nameColumn,
    column('Schedule', 'When it starts jobs.'),
    column('Timezone', 'Where that is meant.'),
    column('Suspend', 'Whether it rests.', boolean),
    column('Active', 'How many jobs are running.', integer),
    column('Last Schedule', 'How long ago it last started one.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(cronJob, now) {
    const { spec, status, metadata } = cronJob;
    const job = spec.jobTemplate.spec;
    return [
      metadata.name ?? '',
      spec.schedule,
      spec.timeZone ?? none,
      said(spec.suspend),
      (status.active ?? []).length,
      status.lastScheduleTime ? since(status.lastScheduleTime, now) : none,
      age(cronJob, now),
      ...containerCells(job.template.spec),
      selectorCell(job.selector),
    ];
  },
};

export const jobTable: TableLayout<Job> = {
  columns: [
    nameColumn,
    column('Status', 'What it is doing, or how it ended.'),
    column('Completions', 'How many pods have succeeded, of how many.'),
    column('Duration', 'How long it took, or has taken so far.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(job, now) {
    const { spec, metadata } = job;
    return [
      metadata.name ?? '',
      jobStatus(job),
      completions(job),
      taken(job, now),
      age(job, now),
      ...containerCells(spec.template.spec),
      selectorCell(spec.selector),
    ];
  },
};

function jobStatus({ metadata, status }: Job): string {
  const holds = (wanted: string) =>
    (status.conditions ?? []).some(({ type, status: holding }) => type === wanted && holding === 'True');
  if (holds('Complete')) return 'Complete';
  if (holds('Failed')) return 'Failed';
  if (metadata.deletionTimestamp) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(holds) ?? 'Running';
}

function completions({ spec, status }: Job): string {
  const succeeded = status.succeeded ?? 0;
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const { parallelism = 0 } = spec;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function taken({ status: { startTime, completionTime } }: Job, now: AgeFormatter): string {
  if (!startTime) return '';
  return completionTime
    ? duration(Date.parse(completionTime) - Date.parse(startTime))
    : since(startTime, now);
}
