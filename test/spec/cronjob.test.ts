import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const jobs = kind(http, '/apis/batch/v1/namespaces/default/cronjobs');
const spec = (change: object) => ({ spec: change });

test('CronJob: jobTemplate is required', async () => {
  await jobs.valid(spec({ jobTemplate: { metadata: { labels: { l: 'v' } } } }));
  await jobs.invalid(spec({ jobTemplate: null }), 'spec.jobTemplate.spec.template.spec.containers');
});

test('CronJob: schedule is required, in cron format', async () => {
  for (const schedule of ['*/5 * * * *', '0 0 1,15 * 3', '@daily']) await jobs.valid(spec({ schedule }));
  for (const schedule of [null, '', 'now', '* * * *', '61 * * * *']) {
    await jobs.invalid(spec({ schedule }), 'spec.schedule');
  }
});

test('CronJob: timeZone is a name of the tz database', async () => {
  assert.equal((await jobs.valid()).spec.timeZone, undefined);
  for (const timeZone of ['Europe/Berlin', 'Etc/UTC']) await jobs.valid(spec({ timeZone }));
  for (const timeZone of ['', 'Local', 'Mars/Olympus']) {
    await jobs.invalid(spec({ timeZone }), 'spec.timeZone');
  }
});

test('CronJob: concurrencyPolicy is Allow, Forbid or Replace, Allow by default', async () => {
  assert.equal((await jobs.valid()).spec.concurrencyPolicy, 'Allow');
  for (const concurrencyPolicy of ['Allow', 'Forbid', 'Replace'])
    await jobs.valid(spec({ concurrencyPolicy }));
  await jobs.invalid(spec({ concurrencyPolicy: 'Queue' }), 'spec.concurrencyPolicy');
});

test('CronJob: startingDeadlineSeconds is optional and not negative', async () => {
  assert.equal((await jobs.valid()).spec.startingDeadlineSeconds, undefined);
  await jobs.valid(spec({ startingDeadlineSeconds: 10 }));
  await jobs.invalid(spec({ startingDeadlineSeconds: -1 }), 'spec.startingDeadlineSeconds');
});

test('CronJob: suspend is false by default', async () => {
  assert.equal((await jobs.valid()).spec.suspend, false);
  assert.equal((await jobs.valid(spec({ suspend: true }))).spec.suspend, true);
});

test('CronJob: 3 successful and 1 failed jobs are kept by default, never a negative number', async () => {
  const { spec: filled } = await jobs.valid();
  assert.equal(filled.successfulJobsHistoryLimit, 3);
  assert.equal(filled.failedJobsHistoryLimit, 1);
  for (const field of ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit']) {
    assert.equal((await jobs.valid(spec({ [field]: 0 }))).spec[field], 0);
    await jobs.invalid(spec({ [field]: -1 }), `spec.${field}`);
  }
});

test('CronJob: status has active jobs and the last times, written through status alone', async () => {
  const job = await jobs.create();
  const status = {
    active: [{ kind: 'Job', namespace: 'default', name: 'j' }],
    lastScheduleTime: '2026-01-01T00:00:00Z',
    lastSuccessfulTime: '2026-01-01T00:01:00Z',
  };
  assert.deepEqual((await jobs.update(job, { status })).status, {});
  const written = await jobs.update(job, { status, spec: { suspend: true } }, 'status');
  assert.deepEqual(written.status, status);
  assert.equal(written.spec.suspend, false);
});
