// CronJob: printer columns.

import { age, containerCells, formatOptionalBoolean, none, since } from '../../kind/table/cells.ts';
import {
  ageColumn,
  boolean,
  column,
  containerColumns,
  integer,
  nameColumn,
  selectorColumn,
} from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { selectorCell } from '../apps/table-cells.ts';
import type { CronJob } from './cronjob.ts';

export const cronJobTable: TableLayout<CronJob> = {
  columns: [
    nameColumn,
    column('Schedule', 'The schedule in cron format.'),
    column('Timezone', 'The time zone of the schedule.'),
    column('Suspend', 'Whether the CronJob is suspended.', boolean),
    column('Active', 'The number of running Jobs.', integer),
    column('Last Schedule', 'The time since a Job was last scheduled.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(cronJob, ages) {
    const { spec, status, metadata } = cronJob;
    const job = spec.jobTemplate.spec;
    return [
      metadata.name ?? '',
      spec.schedule,
      spec.timeZone ?? none,
      formatOptionalBoolean(spec.suspend),
      (status.active ?? []).length,
      status.lastScheduleTime ? since(status.lastScheduleTime, ages) : none,
      age(cronJob, ages),
      ...containerCells(job.template.spec),
      selectorCell(job.selector),
    ];
  },
};
