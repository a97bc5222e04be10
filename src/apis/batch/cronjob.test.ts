import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everything, selector, template } from '../apps/workload.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { cronjobs } from './cronjob-definition.ts';

const definition = cronjobs(everything);
const jobTemplate = { spec: { template: template({ restartPolicy: 'Never' }) } };
const cronJob = (spec: object = {}, metadata: object = {}) => ({
  metadata,
  spec: { schedule: '* * * * *', jobTemplate, ...spec },
});
const problems = (spec: object) => tryCreate(definition, cronJob(spec)).problems;
const specOf = (spec: object = {}) => tryCreate(definition, cronJob(spec)).object.spec;

test('jobTemplate is required, with the metadata and the spec of the jobs', () => {
  assert.deepEqual(
    problems({ jobTemplate: { metadata: { labels: { a: 'b' } }, spec: jobTemplate.spec } }),
    [],
  );
  assert.match(problems({ jobTemplate: null }).join(), /jobTemplate\.spec\.template\.spec\.containers/);
});

test('the selector of the jobs is left to the server', () => {
  const spec = { ...jobTemplate.spec, selector, manualSelector: true };
  assert.deepEqual(
    problems({ jobTemplate: { spec } }).map((problem) => problem.replace(/: v1.*}/, '')),
    [
      'spec.jobTemplate.spec.selector: Invalid value: `selector` will be auto-generated',
      'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
    ],
  );
});

test('what is left out of the jobs is filled in when they are made, not before', () => {
  const { spec } = specOf().jobTemplate;
  assert.equal(spec.backoffLimit, undefined);
  assert.equal(spec.template.spec.dnsPolicy, 'ClusterFirst');
});

test('schedule is required, in cron format', () => {
  assert.deepEqual(problems({ schedule: '' }), ['spec.schedule: Required value']);
  for (const schedule of ['*/5 0-12/2 1,15 jan-jun MON-fri', '@daily', '@every 1h30m']) {
    assert.deepEqual(problems({ schedule }), []);
  }
  assert.deepEqual(problems({ schedule: '61 * * * *' }), [
    'spec.schedule: Invalid value: "61 * * * *": end of range (61) above maximum (59): 61',
  ]);
});

test('a time zone belongs into its field, not into the schedule', () => {
  assert.deepEqual(problems({ schedule: 'TZ=UTC 0 0 * * *' }), [
    'spec.schedule: Invalid value: "TZ=UTC 0 0 * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
  ]);
});

test('timeZone is a name of the tz database, and by default none', () => {
  assert.equal(specOf().timeZone, undefined);
  for (const timeZone of ['UTC', 'Europe/Berlin', 'US/Pacific']) assert.deepEqual(problems({ timeZone }), []);
  assert.deepEqual(problems({ timeZone: 'Nope/Where' }), [
    'spec.timeZone: Invalid value: "Nope/Where": unknown time zone Nope/Where',
  ]);
  assert.deepEqual(problems({ timeZone: 'europe/berlin' }), [
    'spec.timeZone: Invalid value: "europe/berlin": unknown time zone europe/berlin',
  ]);
  assert.deepEqual(problems({ timeZone: '' }), [
    'spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string',
  ]);
  assert.deepEqual(problems({ timeZone: 'Local' }), [
    'spec.timeZone: Invalid value: "Local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
  ]);
});

test('a time zone whose name has become invalid stays until it is changed', () => {
  const { strategy } = definition;
  const withZone = (timeZone: string, suspend: boolean) => {
    const { object } = tryCreate(definition, cronJob({ timeZone: 'UTC', suspend }));
    object.spec.timeZone = timeZone;
    return object;
  };
  assert.deepEqual(strategy.validateUpdate!(withZone('Gone/Zone', true), withZone('Gone/Zone', false)), []);
  assert.equal(strategy.validateUpdate!(withZone('Gone/Zone', true), withZone('UTC', true)).length, 1);
});

test('concurrencyPolicy is Allow, Forbid or Replace, and Allow by default', () => {
  assert.equal(specOf().concurrencyPolicy, 'Allow');
  for (const concurrencyPolicy of ['Allow', 'Forbid', 'Replace']) {
    assert.deepEqual(problems({ concurrencyPolicy }), []);
  }
  assert.deepEqual(problems({ concurrencyPolicy: 'Queue' }), [
    'spec.concurrencyPolicy: Unsupported value: "Queue": supported values: "Allow", "Forbid", "Replace"',
  ]);
});

test('startingDeadlineSeconds is optional, and not negative', () => {
  assert.equal(specOf().startingDeadlineSeconds, undefined);
  assert.deepEqual(problems({ startingDeadlineSeconds: 0 }), []);
  assert.deepEqual(problems({ startingDeadlineSeconds: -1 }), [
    'spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
  ]);
});

test('suspend is false by default', () => {
  assert.equal(specOf().suspend, false);
  assert.equal(specOf({ suspend: true }).suspend, true);
});

test('CronJob history: success 3, failure 1 by default, neither negative', () => {
  const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = specOf();
  assert.deepEqual([successfulJobsHistoryLimit, failedJobsHistoryLimit], [3, 1]);
  assert.equal(specOf({ successfulJobsHistoryLimit: 0 }).successfulJobsHistoryLimit, 0);
  assert.deepEqual(problems({ successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 }), [
    'spec.successfulJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
    'spec.failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
  ]);
});

test('status has the active jobs, the last time one was made and the last time one succeeded', () => {
  const status = {
    active: [{ kind: 'Job', name: 'a-1' }],
    lastScheduleTime: '2024-01-02T03:04:05Z',
    lastSuccessfulTime: '2024-01-02T03:05:05Z',
  };
  assert.deepEqual(tryCreate(definition, { ...cronJob(), status }).object.status, {});
  const written = tryUpdate(definition, cronJob(), { ...cronJob({ suspend: true }), status }, 'status');
  assert.deepEqual(written.problems, []);
  assert.deepEqual(written.object.status, status);
  assert.equal(written.object.spec.suspend, false);
});

test('a name leaves room for what is appended to those of jobs', () => {
  const named = (length: number) => tryCreate(definition, cronJob({}, { name: 'x'.repeat(length) })).problems;
  assert.deepEqual(named(52), []);
  assert.match(named(53)[0]!, /^metadata\.name: .*: must be no more than 52 characters$/);
});

test('a change of the spec is a new generation', () => {
  const { object } = tryUpdate(definition, cronJob(), cronJob({ suspend: true }));
  assert.equal(object.metadata.generation, 2);
});
