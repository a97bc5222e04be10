import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { kubectlSkipReason } from './kubectl.ts';
import { Workspace } from './workspace.ts';

describe('kubectl create, with controllers', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  before(async () => {
    work = await Workspace.open('looked-after', ['cronjob-controller', 'resourcequota-controller']);
  });
  after(() => work?.stop());

  test('create quota creates a quota that is charged, refunded and enforced', async () => {
    await work.run('create quota most --hard=secrets=2,count/jobs.batch=0');
    await work.run('wait --for=jsonpath={.status.used.secrets}=0 quota/most --timeout=3m');
    for (const name of ['a', 'b']) await work.run(`create secret generic ${name}`);
    await work.run('wait --for=jsonpath={.status.used.secrets}=2 quota/most --timeout=3m');
    assert.match(
      await work.fail('create secret generic c'),
      /exceeded quota: most, requested: secrets=1, used: secrets=2, limited: secrets=2/,
    );
    assert.match(await work.fail('create job never --image=i'), /exceeded quota: most/);
    assert.match(await work.run('describe quota most'), /secrets +2 +2/);
    await work.run('delete secret a');
    await work.run('wait --for=jsonpath={.status.used.secrets}=1 quota/most --timeout=3m');
    await work.run('delete quota most');
  });

  test('create cronjob creates Jobs on schedule, and create job --from creates one more', async () => {
    await work.run(['create', 'cronjob', 'yearly', '--image=i', '--schedule=0 0 1 1 *']);
    await work.run('create job at-once --from=cronjob/yearly');
    assert.match(await work.run('get jobs -o name'), /job.batch\/at-once/);
    // The last run was long ago, so that the CronJob is due.
    const lastScheduleTime = `${new Date().getUTCFullYear() - 2}-06-01T00:00:00Z`;
    const change = JSON.stringify({ status: { lastScheduleTime } });
    await work.run(['patch', 'cronjob', 'yearly', '--subresource=status', '--type=merge', '-p', change]);
    let jobs = '';
    for (let tries = 0; tries < 200 && !/yearly-\d+/.test(jobs); tries++) {
      jobs = await work.run('get jobs -o name');
      await sleep(100);
    }
    assert.match(jobs, /job.batch\/yearly-\d+/);
    let told = '';
    for (let tries = 0; tries < 200 && !told.includes('SuccessfulCreate'); tries++) {
      told = await work.run('events --for=cronjob/yearly');
      await sleep(100);
    }
    assert.match(told, /SuccessfulCreate +CronJob\/yearly +Created job yearly-\d+/);
  });
});
