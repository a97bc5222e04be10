// cronjob-controller: the Job for a scheduled time.
import type { CronJob } from '../../apis/batch/cronjob.ts';
import type { Manifest } from '../../client/client.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { utcOffsetMinutesAt, type WallClock } from './local-time.ts';

/** The name is derived from the scheduled time, so a Job is created once. */
export function jobNameFor({ metadata: { name } }: CronJob, time: number): string {
  return `${name}-${Math.floor(time / 60_000)}`;
}

export function jobFor(cronJob: CronJob, time: number, clock: WallClock, dialect: Dialect): Manifest {
  const { metadata, spec } = cronJob;
  const template = spec.jobTemplate;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobNameFor(cronJob, time),
      namespace: metadata.namespace!,
      labels: { ...template.metadata.labels },
      annotations: {
        ...template.metadata.annotations,
        [dialect.annotations.cronJobScheduledAt]: formatLocalTime(time, clock),
      },
      ownerReferences: [
        {
          apiVersion: 'batch/v1',
          kind: 'CronJob',
          name: metadata.name!,
          uid: metadata.uid!,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: template.spec,
  } as Manifest;
}

/** The annotation's timestamp: local time with UTC offset. */
function formatLocalTime(time: number, clock: WallClock): string {
  const offsetMinutes = utcOffsetMinutesAt(clock, time);
  const localTime = new Date(time + offsetMinutes * 60_000).toISOString().slice(0, 19);
  if (offsetMinutes === 0) return `${localTime}Z`;
  const sign = offsetMinutes < 0 ? '-' : '+';
  const hours = twoDigits(Math.floor(Math.abs(offsetMinutes) / 60));
  const minutes = twoDigits(Math.abs(offsetMinutes) % 60);
  return `${localTime}${sign}${hours}:${minutes}`;
}

const twoDigits = (number: number) => String(number).padStart(2, '0');
