// CronJob: validation of the name and the spec, on create and update (upstream: ValidateCronJobCreate,
// ValidateCronJobUpdate).

import { type FieldError, invalid, notSupported, required } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { formattedLabelSelector } from '../../kind/meta/format-labels.ts';
import { validateNonNegative } from '../../kind/meta/non-negative.ts';
import type { CronJob, CronJobSpec, JobTemplateSpec } from './cronjob.ts';
import { validateJobTemplate } from './job-validation.ts';
import { parseSchedule } from './schedule.ts';
import { isTimeZone } from './time-zone.ts';

/** The controller appends `-<timestamp>`, 11 characters, to name Jobs, and the result must be a DNS label. */
const maxCronJobNameLength = 63 - 11;

export function validateCronJobNameLength({ metadata: { name = '' } }: CronJob): FieldError[] {
  // Go's len counts bytes, although the message says characters.
  if (Buffer.byteLength(name) <= maxCronJobNameLength) return [];
  return [invalid('metadata.name', name, `must be no more than ${maxCronJobNameLength} characters`)];
}

/** Validates the spec. `old` is the stored spec on update: it exempts an unchanged time zone. */
export function validateCronJobSpec(
  spec: CronJobSpec,
  context: KindContext,
  old?: CronJobSpec,
): FieldError[] {
  const policies = ['Allow', 'Forbid', 'Replace'];
  const { concurrencyPolicy = '' } = spec;
  return [
    ...validateSchedule(spec, old),
    ...validateNonNegative(spec.startingDeadlineSeconds, 'spec.startingDeadlineSeconds'),
    ...(old && old.timeZone === spec.timeZone ? [] : validateTimeZone(spec.timeZone)),
    ...(policies.includes(concurrencyPolicy)
      ? []
      : [notSupported('spec.concurrencyPolicy', concurrencyPolicy, policies)]),
    ...validateTemplate(spec.jobTemplate, 'spec.jobTemplate.spec', context),
    ...validateNonNegative(spec.successfulJobsHistoryLimit, 'spec.successfulJobsHistoryLimit'),
    ...validateNonNegative(spec.failedJobsHistoryLimit, 'spec.failedJobsHistoryLimit'),
  ];
}

/** TZ in the schedule is rejected, except in stored CronJobs that predate spec.timeZone. */
function validateSchedule({ schedule, timeZone }: CronJobSpec, old?: CronJobSpec): FieldError[] {
  const path = 'spec.schedule';
  if (schedule === '') return [required(path)];
  const errors: FieldError[] = [];
  const parsed = parseSchedule(schedule);
  if ('problem' in parsed) errors.push(invalid(path, schedule, parsed.problem));
  if (!schedule.includes('TZ')) return errors;
  if (!old?.schedule.includes('TZ')) {
    const detail = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
    errors.push(invalid(path, schedule, detail));
  } else if (timeZone !== undefined) {
    const detail = 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
    errors.push(invalid(path, schedule, detail));
  }
  return errors;
}

function validateTimeZone(timeZone: string | undefined): FieldError[] {
  const path = 'spec.timeZone';
  if (timeZone === undefined) return [];
  if (timeZone === '') return [invalid(path, timeZone, 'timeZone must be nil or non-empty string')];
  const errors: FieldError[] = [];
  if (timeZone.toLowerCase() === 'local') {
    const detail = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    errors.push(invalid(path, timeZone, detail));
  }
  // Go's time.LoadLocation accepts exactly `Local`; other spellings are reported twice.
  if (timeZone !== 'Local' && !isTimeZone(timeZone)) {
    errors.push(invalid(path, timeZone, `unknown time zone ${timeZone}`));
  }
  return errors;
}

/** A Job's selector is generated when the CronJob creates it, so the template cannot have one. */
function validateTemplate({ spec }: JobTemplateSpec, path: string, context: KindContext): FieldError[] {
  const errors = validateJobTemplate(spec, path, context);
  if (spec.selector) {
    errors.push(
      invalid(`${path}.selector`, formattedLabelSelector(spec.selector), '`selector` will be auto-generated'),
    );
  }
  if (spec.manualSelector) errors.push(notSupported(`${path}.manualSelector`, true, ['nil', 'false']));
  return errors;
}
