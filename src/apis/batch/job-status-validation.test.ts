import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldErrorBody } from '../../errors/field-error.ts';
import { everything, template } from '../apps/workload.fixture.ts';
import { tryCreate } from '../try-rules.ts';
import type { JobStatus } from './job.ts';
import { jobs } from './job-definition.ts';
import { validateJobStatusChange } from './job-status-validation.ts';

const definition = jobs(everything);
const start = '2024-01-02T03:04:05Z';
const end = '2024-01-02T03:05:05Z';
const indexed = { completionMode: 'Indexed', completions: 5, backoffLimitPerIndex: 1 };

function job(status: Partial<JobStatus>, spec: object) {
  const json = { spec: { template: template({ restartPolicy: 'Never' }), ...spec } };
  return { ...tryCreate(definition, json).object, status };
}

/** Errors of an update from `old` to `status`. */
const problems = (status: Partial<JobStatus>, old: Partial<JobStatus> = {}, spec: object = {}) =>
  validateJobStatusChange(job(status, spec), job(old, spec)).map(
    (error) => `${error.field}: ${fieldErrorBody(error)}`,
  );

/** Conditions with status True. */
const are = (...types: string[]) => ({
  conditions: types.map((type) => ({ type, status: 'True' })),
});

test('a job ends after it has said how', () => {
  assert.deepEqual(problems({ startTime: start, ...are('FailureTarget', 'Failed') }), []);
  assert.deepEqual(problems({ startTime: start, ...are('Failed') }), [
    'status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition',
  ]);
  assert.deepEqual(
    problems({ startTime: start, completionTime: end, ...are('SuccessCriteriaMet', 'Complete') }),
    [],
  );
  assert.deepEqual(problems({ startTime: start, completionTime: end, ...are('Complete') }), [
    'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
  ]);
});

test('a job that has ended stays so', () => {
  const ended = { startTime: start, ...are('FailureTarget', 'Failed') };
  assert.deepEqual(problems(ended, ended), []);
  assert.deepEqual(problems({ startTime: start, ...are('FailureTarget') }, ended), [
    'status.conditions: Invalid value: cannot disable the terminal Failed=True condition',
  ]);
});

test('nothing runs any more when a job has ended', () => {
  const ended = { startTime: start, ...are('FailureTarget', 'Failed') };
  assert.deepEqual(problems({ ...ended, active: 1, terminating: 1, ready: 0 }), [
    'status.active: Invalid value: 1: active>0 is invalid for finished job',
    'status.terminating: Invalid value: 1: terminating>0 is invalid for finished job',
  ]);
  assert.deepEqual(problems({ ...are('FailureTarget', 'Failed') }), [
    'status.startTime: Required value: startTime is required for finished job',
  ]);
});

test('the time of completion is that of success, after the start', () => {
  assert.deepEqual(problems({ startTime: start, completionTime: end }), [
    'status.completionTime: Invalid value: 2024-01-02 03:05:05 +0000 UTC: cannot set completionTime when there is no Complete=True condition',
  ]);
  const complete = are('SuccessCriteriaMet', 'Complete');
  assert.deepEqual(problems({ startTime: end, completionTime: start, ...complete }), [
    'status.completionTime: Invalid value: 2024-01-02 03:04:05 +0000 UTC: completionTime cannot be set before startTime',
  ]);
});

test('the start stays while a job is not suspended', () => {
  assert.deepEqual(problems({}, { startTime: start }), [
    'status.startTime: Required value: startTime cannot be removed for unsuspended job',
  ]);
  assert.deepEqual(problems({}, { startTime: start }, { suspend: true }), []);
});

test('the start moves when a job is resumed', () => {
  const wasSuspended = { startTime: start, ...are('Suspended') };
  assert.deepEqual(problems({ startTime: end }, wasSuspended), []);
  assert.equal(problems({ startTime: end, ...are('Suspended') }, wasSuspended).length, 1);
  assert.equal(problems({}, wasSuspended).length, 1);
});

test('counters only grow, and no more pods are ready than active', () => {
  assert.deepEqual(problems({ succeeded: 1 }, { succeeded: 2, failed: 1 }), [
    'status.failed: Invalid value: 0: cannot decrease the failed counter',
    'status.succeeded: Invalid value: 1: cannot decrease the succeeded counter',
  ]);
  assert.deepEqual(problems({ active: 1, ready: 2 }), [
    'status.ready: Invalid value: 2: cannot set more ready pods than active',
  ]);
});

test('indexes are those of the job, and not both completed and failed', () => {
  assert.deepEqual(problems({ completedIndexes: '0-2', failedIndexes: '4' }, {}, indexed), []);
  assert.deepEqual(problems({ completedIndexes: '0-2', failedIndexes: '2,3' }, {}, indexed), [
    'status.failedIndexes: Invalid value: "2,3": failedIndexes and completedIndexes overlap at index: 2',
  ]);
  assert.deepEqual(problems({ completedIndexes: '0' }), [
    'status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode',
  ]);
  assert.deepEqual(problems({ failedIndexes: '0' }), [
    'status.failedIndexes: Invalid value: "0": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
  ]);
});

test('what is wrong already is not told again when something else changes', () => {
  const invalidStatus = { completedIndexes: 'x', startTime: start, ...are('Failed') };
  assert.deepEqual(problems({ ...invalidStatus, succeeded: 1 }, invalidStatus), []);
});

test('pods that are not counted yet are listed once', () => {
  assert.deepEqual(problems({ uncountedTerminatedPods: { succeeded: ['a', 'a'], failed: ['a', ''] } }), [
    'status.uncountedTerminatedPods.succeeded[1]: Duplicate value: "a"',
    'status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
    'status.uncountedTerminatedPods.failed[1]: Invalid value: "": must not be empty',
  ]);
});
