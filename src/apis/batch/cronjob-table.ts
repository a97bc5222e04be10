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
    column('Schedule', 'When it starts jobs.'),
    column('Timezone', 'Where that is meant.'),
    column('Suspend', 'Whether it rests.', boolean),
    column('Active', 'How many jobs are running.', integer),
    column('Last Schedule', 'How long ago it last started one.'),
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
