// job-controller and ttl-after-finished-controller, on a movable clock; the tests play scheduler and kubelet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';
import { conditionsOf, controllersIdle, until, untilDeleted } from '../support/controllers.ts';
import { WorkloadNamespace, type WorkloadPod } from '../support/workloads.ts';

const api = testServer({
  controllers: [
    'job-controller',
    'ttl-after-finished-controller',
    'serviceaccount-controller',
    'garbage-collector-controller',
  ],
});

const spec = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] };
const job = 'batch/jobs/work';
const tracking = 'batch.orch.io/job-tracking';
const indexName = 'batch.orch.io/job-completion-index';

async function createJob(jobSpec: object): Promise<WorkloadNamespace> {
  const namespace = await WorkloadNamespace.create(api);
  await namespace.create('batch/jobs', {
    metadata: { name: 'work' },
    spec: { template: { spec }, ...jobSpec },
  });
  return namespace;
}

const running = (pods: readonly WorkloadPod[]) =>
  pods.filter(({ metadata, status }) => !metadata.deletionTimestamp && status.phase === 'Pending');

const untilRunning = (namespace: WorkloadNamespace, count: number) =>
  until(
    async () => running(await namespace.pods()),
    (pods) => pods.length === count,
  );

const indexOf = ({ metadata }: WorkloadPod) => metadata.annotations[indexName];

/** Waits for the pod of an index that has not finished. */
async function podOf(namespace: WorkloadNamespace, index: number): Promise<string> {
  const pods = await until(
    async () => running(await namespace.pods()).filter((pod) => indexOf(pod) === String(index)),
    (found) => found.length === 1,
  );
  return pods[0]!.metadata.name;
}

const types = (conditions: ReturnType<typeof conditionsOf>) =>
  conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`);

async function untilFinished(namespace: WorkloadNamespace): Promise<string[]> {
  const finished = await namespace.until(job, (found) =>
    conditionsOf(found).some(({ type }) => type === 'Complete' || type === 'Failed'),
  );
  return types(conditionsOf(finished));
}

/** Plays kubelet: the container ended with an exit code, now. */
async function exit(namespace: WorkloadNamespace, pod: string, exitCode: number): Promise<void> {
  const finishedAt = `${new Date(api.server.clock.now()).toISOString().slice(0, 19)}Z`;
  const state = { terminated: { exitCode, finishedAt } };
  const container = { name: 'c', ready: false, restartCount: 0, image: 'i', imageID: 'i', state };
  const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
  await namespace.patch(`pods/${pod}/status`, { status: { phase, containerStatuses: [container] } });
}

test('pods run until as many have succeeded as completions, at most parallelism at the same time', async () => {
  const namespace = await createJob({ parallelism: 2, completions: 3 });
  const [first, second] = await untilRunning(namespace, 2);
  const { metadata } = await namespace.get(job);
  assert.deepEqual(first!.metadata.finalizers, [tracking]);
  assert.match(first!.metadata.name, /^work-[a-z0-9]{5}$/);
  assert.equal(first!.metadata.ownerReferences?.[0]?.uid, metadata.uid);
  assert.equal(first!.metadata.labels['batch.orch.io/controller-uid'], metadata.uid);
  await namespace.setReady(second!.metadata.name);
  await namespace.untilStatus(job, { active: 2, ready: 1, terminating: 0 });
  await exit(namespace, first!.metadata.name, 0);
  await namespace.untilStatus(job, { active: 2, succeeded: 1 });
  await exit(namespace, second!.metadata.name, 0);
  const [third] = await untilRunning(namespace, 1);
  await namespace.untilStatus(job, { active: 1, ready: 0, succeeded: 2 });
  await exit(namespace, third!.metadata.name, 0);
  assert.deepEqual(await untilFinished(namespace), [
    'SuccessCriteriaMet=True CompletionsReached',
    'Complete=True CompletionsReached',
  ]);
  const { status } = await namespace.get(job);
  const { startTime, completionTime, conditions: _, ...counts } = status as Record<string, unknown>;
  assert.ok(startTime && completionTime);
  assert.deepEqual(counts, { ready: 0, succeeded: 3, terminating: 0, uncountedTerminatedPods: {} });
  for (const pod of await namespace.pods()) assert.equal(pod.metadata.finalizers, undefined);
  const events = await namespace.untilEvents('Job', 4);
  assert.equal(events.at(-1), 'Normal Completed Job completed');
  assert.equal(
    events.filter((event) => event.startsWith('Normal SuccessfulCreate Created pod: work-')).length,
    3,
  );
});

test('a Job without completions is done when one pod has succeeded and the others have ended', async () => {
  const namespace = await createJob({ parallelism: 3 });
  const [first, second, third] = await untilRunning(namespace, 3);
  await exit(namespace, first!.metadata.name, 0);
  await namespace.untilStatus(job, { active: 2, succeeded: 1 });
  await exit(namespace, second!.metadata.name, 1);
  await namespace.untilStatus(job, { active: 1, succeeded: 1, failed: 1 });
  await exit(namespace, third!.metadata.name, 0);
  await untilFinished(namespace);
  await namespace.untilStatus(job, { succeeded: 2, failed: 1 });
  assert.equal((await namespace.pods()).length, 3);
});

test('failed pods are replaced with growing delays until backoffLimit, then the Job fails', async () => {
  const namespace = await createJob({ backoffLimit: 2 });
  for (const delayMs of [10_000, 20_000]) {
    const [pod] = await untilRunning(namespace, 1);
    await exit(namespace, pod!.metadata.name, 1);
    await until(
      async () => running(await namespace.pods()),
      (pods) => pods.length === 0,
    );
    await controllersIdle(api);
    api.server.clock.advance(delayMs - 5_000);
    await controllersIdle(api);
    assert.equal(running(await namespace.pods()).length, 0);
    api.server.clock.advance(5_000);
  }
  const [last] = await untilRunning(namespace, 1);
  await exit(namespace, last!.metadata.name, 1);
  assert.deepEqual(await untilFinished(namespace), [
    'FailureTarget=True BackoffLimitExceeded',
    'Failed=True BackoffLimitExceeded',
  ]);
  await namespace.untilStatus(job, { failed: 3, active: undefined, completionTime: undefined });
  const events = await namespace.untilEvents('Job', 4);
  assert.equal(events.at(-1), 'Warning BackoffLimitExceeded Job has reached the specified backoff limit');
});

test('a Job that fails waits until its other pods have ended', async () => {
  const namespace = await createJob({ parallelism: 2, completions: 2, backoffLimit: 0 });
  const [failing, other] = await untilRunning(namespace, 2);
  await namespace.bind(other!.metadata.name, 'node');
  await exit(namespace, failing!.metadata.name, 1);
  const waiting = await namespace.untilStatus(job, { terminating: 1, failed: 2 });
  assert.deepEqual(types(conditionsOf(waiting)), ['FailureTarget=True BackoffLimitExceeded']);
  await namespace.removeTerminatingPods();
  await untilFinished(namespace);
  await namespace.untilStatus(job, { terminating: 0, failed: 2 });
});

test('pods of an Indexed Job have their index in annotation, label, hostname and environment', async () => {
  const namespace = await createJob({ completionMode: 'Indexed', parallelism: 3, completions: 5 });
  const [, pod] = (await untilRunning(namespace, 3)).toSorted((a, b) => (indexOf(a)! < indexOf(b)! ? -1 : 1));
  assert.match(pod!.metadata.name, /^work-1-[a-z0-9]{5}$/);
  assert.equal(pod!.metadata.annotations[indexName], '1');
  assert.equal(pod!.metadata.labels[indexName], '1');
  const { hostname, containers } = pod!.spec as { hostname: string; containers: { env: unknown }[] };
  assert.equal(hostname, 'work-1');
  assert.deepEqual(containers[0]!.env, [
    {
      name: 'JOB_COMPLETION_INDEX',
      valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: `metadata.labels['${indexName}']` } },
    },
  ]);
  for (const index of [2, 0, 1, 4]) await exit(namespace, await podOf(namespace, index), 0);
  await namespace.untilStatus(job, { completedIndexes: '0-2,4', succeeded: 4, active: 1 });
  await exit(namespace, await podOf(namespace, 3), 0);
  await untilFinished(namespace);
  await namespace.untilStatus(job, { completedIndexes: '0-4', succeeded: 5 });
});

test('each index has its own backoff limit, and fails when it is exceeded', async () => {
  const namespace = await createJob({
    completionMode: 'Indexed',
    parallelism: 2,
    completions: 2,
    backoffLimitPerIndex: 1,
  });
  const failed = await podOf(namespace, 0);
  await exit(namespace, failed, 1);
  await controllersIdle(api);
  api.server.clock.advance(10_000);
  const replacement = await podOf(namespace, 0);
  const { metadata } = await namespace.get(`pods/${replacement}`);
  assert.equal(metadata.annotations['batch.orch.io/job-index-failure-count'], '1');
  await namespace.untilStatus(job, { failed: 1, failedIndexes: '' });
  await exit(namespace, replacement, 1);
  await namespace.untilStatus(job, { failed: 2, failedIndexes: '0' });
  await exit(namespace, await podOf(namespace, 1), 0);
  assert.deepEqual(await untilFinished(namespace), [
    'FailureTarget=True FailedIndexes',
    'Failed=True FailedIndexes',
  ]);
  await namespace.untilStatus(job, { completedIndexes: '1', failedIndexes: '0' });
});

test('a Job fails when more indexes than maxFailedIndexes have failed', async () => {
  const namespace = await createJob({
    completionMode: 'Indexed',
    parallelism: 3,
    completions: 3,
    backoffLimitPerIndex: 0,
    maxFailedIndexes: 1,
  });
  await exit(namespace, await podOf(namespace, 0), 1);
  await exit(namespace, await podOf(namespace, 2), 1);
  assert.deepEqual(await untilFinished(namespace), [
    'FailureTarget=True MaxFailedIndexesExceeded',
    'Failed=True MaxFailedIndexesExceeded',
  ]);
  await namespace.untilStatus(job, { failedIndexes: '0,2' });
});

test('the podFailurePolicy ignores failures, and fails the Job', async () => {
  const namespace = await createJob({
    backoffLimit: 0,
    podFailurePolicy: {
      rules: [
        { action: 'Ignore', onExitCodes: { operator: 'In', values: [7] } },
        { action: 'FailJob', onExitCodes: { containerName: 'c', operator: 'NotIn', values: [1] } },
      ],
    },
  });
  const [ignored] = await untilRunning(namespace, 1);
  await exit(namespace, ignored!.metadata.name, 7);
  await controllersIdle(api);
  api.server.clock.advance(10_000);
  const [failed] = await untilRunning(namespace, 1);
  const { name } = failed!.metadata;
  await exit(namespace, name, 42);
  await untilFinished(namespace);
  const [target] = conditionsOf(await namespace.get(job));
  assert.equal(target?.reason, 'PodFailurePolicy');
  assert.equal(
    target?.message,
    `Container c for pod ${namespace.name}/${name} failed with exit code 42 matching FailJob rule at index 1`,
  );
  await namespace.untilStatus(job, { failed: 1 });
});

test('a Job succeeds by its successPolicy, and its other pods do not count as failed', async () => {
  const namespace = await createJob({
    completionMode: 'Indexed',
    parallelism: 3,
    completions: 3,
    successPolicy: { rules: [{ succeededIndexes: '1-2', succeededCount: 1 }] },
  });
  await exit(namespace, await podOf(namespace, 2), 0);
  assert.deepEqual(await untilFinished(namespace), [
    'SuccessCriteriaMet=True SuccessPolicy',
    'Complete=True SuccessPolicy',
  ]);
  await namespace.untilStatus(job, { completedIndexes: '2', succeeded: 1, failed: undefined });
  assert.equal((await namespace.pods()).length, 1);
});

test('a terminating pod counts as failed and is replaced, with podReplacementPolicy Failed only when it has failed', async () => {
  const eager = await createJob({});
  const patient = await createJob({ podReplacementPolicy: 'Failed' });
  for (const namespace of [eager, patient]) {
    const [pod] = await untilRunning(namespace, 1);
    await namespace.bind(pod!.metadata.name, 'node');
    await namespace.delete(`pods/${pod!.metadata.name}`);
  }
  await eager.untilStatus(job, { failed: 1, terminating: 1 });
  api.server.clock.advance(10_000);
  await untilRunning(eager, 1);
  await patient.untilStatus(job, { active: undefined, failed: undefined, terminating: 1 });
  await controllersIdle(api);
  const [terminating] = await patient.pods();
  await exit(patient, terminating!.metadata.name, 1);
  await patient.untilStatus(job, { failed: 1, terminating: 0 });
  api.server.clock.advance(10_000);
  await untilRunning(patient, 1);
});

test('a Job that is active for longer than its deadline fails', async () => {
  const namespace = await createJob({ activeDeadlineSeconds: 60 });
  await untilRunning(namespace, 1);
  await controllersIdle(api);
  api.server.clock.advance(61_000);
  assert.deepEqual(await untilFinished(namespace), [
    'FailureTarget=True DeadlineExceeded',
    'Failed=True DeadlineExceeded',
  ]);
  assert.equal((await namespace.pods()).length, 0);
});

test('a suspended Job has no pods, and starts again when it is resumed', async () => {
  const namespace = await createJob({ parallelism: 2, completions: 2 });
  await untilRunning(namespace, 2);
  const { status } = await namespace.untilStatus(job, { active: 2 });
  const { startTime } = status as { startTime: string };
  await namespace.patch(job, { spec: { suspend: true } });
  const suspended = await namespace.untilStatus(job, { active: undefined, terminating: 0 });
  assert.deepEqual(types(conditionsOf(suspended)), ['Suspended=True JobSuspended']);
  assert.equal((await namespace.pods()).length, 0);
  api.server.clock.advance(5_000);
  await namespace.patch(job, { spec: { suspend: false } });
  await untilRunning(namespace, 2);
  const resumed = await namespace.untilStatus(job, { active: 2, failed: undefined });
  assert.deepEqual(types(conditionsOf(resumed)), ['Suspended=False JobResumed']);
  assert.ok((resumed.status as { startTime: string }).startTime > startTime);
  const events = await namespace.untilEvents('Job', 8);
  assert.ok(events.includes('Normal Suspended Job suspended'));
  assert.ok(events.includes('Normal Resumed Job resumed'));
});

test('a Job that is created suspended does not start', async () => {
  const namespace = await createJob({ suspend: true });
  const created = await namespace.until(job, (found) => conditionsOf(found).length > 0);
  assert.equal((created.status as { startTime?: string }).startTime, undefined);
  await controllersIdle(api);
  assert.equal((await namespace.pods()).length, 0);
});

test('fewer pods run when parallelism is lowered, and those that were deleted do not count as failed', async () => {
  const namespace = await createJob({ parallelism: 4, completions: 9 });
  await untilRunning(namespace, 4);
  await namespace.patch(job, { spec: { parallelism: 1 } });
  await untilRunning(namespace, 1);
  await namespace.untilStatus(job, { active: 1, failed: undefined });
});

test('the Jobs of another controller are left alone', async () => {
  const namespace = await createJob({ managedBy: 'example.com/controller' });
  await controllersIdle(api);
  const { status } = await namespace.get(job);
  assert.deepEqual(status, {});
  assert.equal((await namespace.pods()).length, 0);
});

test('a deleted Job takes its pods with it, and orphaned pods lose the finalizer', async () => {
  const deleted = await createJob({ parallelism: 2 });
  const orphaning = await createJob({ parallelism: 2 });
  await untilRunning(deleted, 2);
  await untilRunning(orphaning, 2);
  await deleted.delete(job, { propagationPolicy: 'Background' });
  await until(
    () => deleted.pods(),
    (pods) => pods.length === 0,
  );
  await orphaning.delete(job, { propagationPolicy: 'Orphan' });
  await untilDeleted(api, orphaning.path(job));
  const pods = await until(
    () => orphaning.pods(),
    (found) => found.every(({ metadata }) => metadata.finalizers === undefined),
  );
  assert.equal(pods.length, 2);
});

test('matching pods without a controller are adopted and tracked', async () => {
  const namespace = await WorkloadNamespace.create(api);
  const labels = { app: 'work' };
  await until(
    () => api.get(namespace.path('serviceaccounts/default')),
    ({ code }) => code === 200,
  );
  await namespace.create('pods', { metadata: { name: 'orphan', labels }, spec });
  await namespace.create('batch/jobs', {
    metadata: { name: 'work' },
    spec: {
      manualSelector: true,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec },
    },
  });
  const adopted = await namespace.until('pods/orphan', ({ metadata }) => metadata.finalizers !== undefined);
  assert.deepEqual(adopted.metadata.finalizers, [tracking]);
  await exit(namespace, 'orphan', 0);
  await untilFinished(namespace);
  await namespace.untilStatus(job, { succeeded: 1 });
  assert.equal((await namespace.pods()).length, 1);
});

test('a finished Job is deleted after ttlSecondsAfterFinished', async () => {
  const namespace = await createJob({ ttlSecondsAfterFinished: 100 });
  const [pod] = await untilRunning(namespace, 1);
  await exit(namespace, pod!.metadata.name, 0);
  await untilFinished(namespace);
  await controllersIdle(api);
  api.server.clock.advance(95_000);
  await controllersIdle(api);
  await namespace.get(job);
  api.server.clock.advance(6_000);
  await untilDeleted(api, namespace.path(job));
  assert.equal((await namespace.pods()).length, 0);
});

test('many pods are counted exactly', async () => {
  const namespace = await createJob({ parallelism: 40, completions: 60, backoffLimit: 100 });
  let failures = 0;
  for (let done = 0; done < 60; ) {
    api.server.clock.advance(600_000);
    const pods = await until(
      async () => running(await namespace.pods()),
      (found) => found.length === Math.min(40, 60 - done),
    );
    for (const [position, { metadata }] of pods.entries()) {
      const isFailure = position % 4 === 0 && failures < 20;
      await exit(namespace, metadata.name, isFailure ? 1 : 0);
      if (isFailure) failures += 1;
      else done += 1;
    }
    await controllersIdle(api);
  }
  await untilFinished(namespace);
  await namespace.untilStatus(job, { succeeded: 60, failed: failures });
});
