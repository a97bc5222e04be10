import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovableClock } from '../../src/base/clock.ts';
import type { Manifest } from '../../src/client/client.ts';
import { defaultOptions } from '../../src/server/options.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import { type Body, testServer } from '../support/client.ts';
import { runServer } from '../support/servers.ts';

const api = testServer();

interface Job extends Body {
  readonly status: { readonly conditions?: unknown; readonly succeeded?: number };
}

const spec = (schedule: string, more: object = {}) => ({
  schedule,
  jobTemplate: {
    metadata: { labels: { from: 'template' } },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i:1' }] } } },
  },
  ...more,
});

/** A new namespace with one CronJob. */
async function cronJob(schedule: string, more: object = {}) {
  const jobs = (await api.namespace('jobs')).replace('/api/v1/', '/apis/batch/v1/');
  const path = jobs.replace(/jobs$/, 'cronjobs');
  const made = await api.post(path, { metadata: { name: 'tick' }, spec: spec(schedule, more) });
  assert.equal(made.code, 201, made.text);
  const namespace = jobs.split('/')[5]!;
  const list = async () => (await api.get(jobs)).body.items as unknown as Job[];
  return {
    jobs,
    path: `${path}/tick`,
    list,
    status: async () => (await api.get(`${path}/tick`)).body.status as Record<string, unknown>,
    /** Advances the clock in steps of about a minute. */
    async pass(minutes: number, step = 60_000) {
      for (let i = 0; i < minutes; i++) {
        api.server.clock.advance(step);
        await settle();
      }
    },
    async until(condition: (jobs: readonly Job[]) => boolean) {
      for (let i = 0; i < 2_000; i++) {
        const found = await list();
        if (condition(found)) return found;
        await settle();
      }
      assert.fail(`not in time: ${JSON.stringify((await list()).map(({ metadata }) => metadata.name))}`);
    },
    async end(job: Job, type: 'Complete' | 'Failed') {
      const now = new Date(api.server.clock.now()).toISOString();
      const conditions = [
        {
          type: type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget',
          status: 'True',
          lastTransitionTime: now,
        },
        { type, status: 'True', lastTransitionTime: now },
      ];
      const status = {
        startTime: now,
        conditions,
        ...(type === 'Complete' ? { completionTime: now, succeeded: 1 } : { failed: 1 }),
      };
      const path = `${jobs}/${job.metadata.name}/status`;
      const merge = { 'content-type': 'application/merge-patch+json' };
      const ended = await api.request('PATCH', path, { status }, merge);
      assert.equal(ended.code, 200, ended.text);
      await settle();
    },
    /** Resolves once there are Events with all of these reasons. */
    async tells(...reasons: readonly string[]) {
      let told = new Set<string>();
      for (let i = 0; i < 2_000 && !reasons.every((reason) => told.has(reason)); i++) {
        await settle();
        const { items } = await api.server.client.list({ apiVersion: 'v1', kind: 'Event', namespace });
        told = new Set(items.map((event) => (event as unknown as { reason: string }).reason));
      }
      assert.deepEqual(
        [...reasons].filter((reason) => !told.has(reason)),
        [],
      );
    },
  };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 15));

test('a CronJob creates a Job on schedule, records an Event and updates its status', async () => {
  const cron = await cronJob('* * * * *');
  await cron.pass(1, 61_000);
  const [job] = await cron.until((jobs) => jobs.length === 1);
  const { metadata } = job!;
  const minute = Math.floor(api.server.clock.now() / 60_000);
  assert.match(metadata.name, /^tick-\d+$/);
  assert.ok(Math.abs(minute - Number(metadata.name.slice(5))) <= 1);
  assert.ok(metadata.annotations['batch.orch.io/cronjob-scheduled-timestamp']);
  assert.equal(metadata.labels.from, 'template');
  const owners = (metadata as { ownerReferences?: { kind: string }[] }).ownerReferences;
  assert.deepEqual(
    owners?.map(({ kind }) => kind),
    ['CronJob'],
  );
  while (!(await cron.status()).active) await settle();
  const status = await cron.status();
  assert.equal((status.active as unknown[]).length, 1);
  assert.ok(status.lastScheduleTime);
  await cron.tells('SuccessfulCreate');
});

test('finished Jobs are kept up to the history limits, and leave status.active', async () => {
  const cron = await cronJob('* * * * *', { successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0 });
  for (let round = 1; round <= 3; round++) {
    await cron.pass(1);
    const running = await cron.until((jobs) => jobs.some(({ status }) => !status.conditions));
    for (const job of running) if (!job.status.conditions) await cron.end(job, 'Complete');
  }
  await cron.until((jobs) => jobs.filter(({ status }) => status.succeeded).length === 1);
  await cron.pass(1);
  const [failing] = (await cron.until((jobs) => jobs.length === 2)).slice(-1);
  await cron.end(failing!, 'Failed');
  await cron.until((jobs) => jobs.length === 1);
  const status = await cron.status();
  assert.ok(status.lastSuccessfulTime);
  await cron.tells('SawCompletedJob', 'SuccessfulDelete');
});

test('concurrencyPolicy Forbid skips a concurrent run, Replace deletes the running Job', async () => {
  const forbidding = await cronJob('* * * * *', { concurrencyPolicy: 'Forbid' });
  const replacing = await cronJob('* * * * *', { concurrencyPolicy: 'Replace' });
  await forbidding.pass(1);
  const [first] = await replacing.until((jobs) => jobs.length === 1);
  await forbidding.pass(3);
  assert.equal((await forbidding.list()).length, 1);
  await forbidding.tells('JobAlreadyActive');
  const [other] = await replacing.until(
    (jobs) => jobs.length === 1 && jobs[0]!.metadata.uid !== first!.metadata.uid,
  );
  assert.notEqual(other!.metadata.name, first!.metadata.name);
});

test('a suspended CronJob creates no Jobs, and afterwards only the last missed run', async () => {
  const cron = await cronJob('* * * * *', { suspend: true });
  const other = await cronJob('* * * * *');
  await cron.pass(1, 10 * 60_000);
  await other.until((jobs) => jobs.length === 1);
  assert.equal((await cron.list()).length, 0);
  const { body } = await api.get(cron.path);
  await api.put(cron.path, { ...body, spec: { ...(body.spec as object), suspend: false } });
  await cron.until((jobs) => jobs.length === 1);
  await settle();
  assert.equal((await cron.list()).length, 1);
});

test('a run past its startingDeadlineSeconds is skipped', async () => {
  const cron = await cronJob('0 0 1 1 *', { startingDeadlineSeconds: 10, suspend: true });
  await cron.pass(1, 366 * 86_400_000);
  const { body } = await api.get(cron.path);
  await api.put(cron.path, { ...body, spec: { ...(body.spec as object), suspend: false } });
  await settle();
  assert.equal((await cron.list()).length, 0);
});

test('a run that missed its deadline counts as failed and records one Event', async () => {
  const cron = await cronJob('0 0 1 * *', {
    startingDeadlineSeconds: 10,
    suspend: true,
    timeZone: 'Etc/UTC',
  });
  await cron.pass(1, 366 * 86_400_000);
  const edit = async (more: object) => {
    const { body } = await api.get(cron.path);
    const { code } = await api.put(cron.path, { ...body, spec: { ...body.spec, ...more } });
    assert.equal(code, 200);
  };
  await edit({ suspend: false });
  await cron.tells('MissSchedule');
  assert.equal((await cron.list()).length, 0);
  await edit({ failedJobsHistoryLimit: 2 });
  await edit({ successfulJobsHistoryLimit: 2 });
  await settle();
  const { items } = await api.server.client.list({
    apiVersion: 'v1',
    kind: 'Event',
    namespace: cron.jobs.split('/')[5]!,
  });
  const missed = (
    items as unknown as { reason: string; type: string; message: string; count: number }[]
  ).filter(({ reason }) => reason === 'MissSchedule');
  assert.deepEqual(
    missed.map(({ type, count }) => [type, count]),
    [['Warning', 1]],
  );
  assert.match(
    missed[0]!.message,
    /^Missed scheduled time to start a job: \w+, 01 \w+ \d+ 00:00:00 \+0000, and 1[12] before it\. It counts as failed$/,
  );
});

test('an unknown time zone stops the CronJob, with an Event', async () => {
  const clock = new MovableClock();
  const store = new MemoryStore({ clock });
  const options = { ...defaultOptions, storage: 'memory', httpPort: 0, securePort: undefined } as const;
  const server = await runServer(options, { clock, store, logger: silentLogger });
  try {
    const { client } = server;
    await client.create({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'tick', namespace: 'default' },
      spec: spec('* * * * *', { timeZone: 'Europe/Berlin' }),
    } as Manifest);
    // Validation rejects such a zone: only an update of the tz database can remove one.
    const stored = store.get('cronjobs/default/tick')!;
    const json = Buffer.from(
      stored.json.toString('latin1').replace('Europe/Berlin', 'Europe/Atlant'),
      'latin1',
    );
    const {
      key,
      labels,
      selectableFields,
      schemaFingerprint,
      listItemOffset,
      revisionOffset,
      revisionLength,
    } = stored;
    const hollow = Buffer.concat([
      json.subarray(0, revisionOffset),
      json.subarray(revisionOffset + revisionLength),
    ]);
    const prefix = key.slice(0, -'/default/tick'.length);
    await store.commit({
      prefix,
      key,
      draft: {
        json: hollow,
        labels,
        selectableFields,
        schemaFingerprint,
        listItemOffset,
        revisionOffset,
      },
    });
    clock.advance(5 * 60_000);
    const list = async (kind: string, apiVersion: string) => (await client.list({ apiVersion, kind })).items;
    const said = async () =>
      (await list('Event', 'v1')).map((event) => event as unknown as Record<string, string>);
    while (!(await said()).some(({ reason }) => reason === 'UnknownTimeZone')) await settle();
    const [event] = await said();
    assert.equal(event!.message, 'invalid timeZone: "Europe/Atlant": unknown time zone Europe/Atlant');
    assert.deepEqual(await list('Job', 'batch/v1'), []);
  } finally {
    await server.stop();
  }
});
