import { at, condition } from '../api.ts';
import type { Scenario } from '../scenario.ts';
import { podTemplate } from './pod-template.ts';

const jobs = 'apis/batch/v1 jobs';
const cronJobs = 'apis/batch/v1 cronjobs';
const template = podTemplate('work', { restartPolicy: 'Never' });

export const job: Scenario = {
  name: 'job',
  async run({ api, namespace, until }) {
    const plain = { completions: 3, parallelism: 2, template };
    await api.create(jobs, namespace, { metadata: { name: 'plain' }, spec: plain });
    const indexed = { completionMode: 'Indexed', completions: 2, parallelism: 2, template };
    await api.create(jobs, namespace, { metadata: { name: 'indexed' }, spec: indexed });
    for (const [name, count] of [
      ['plain', 3],
      ['indexed', 2],
    ] as const) {
      await until(`${name}: complete, every pod counted`, async () => {
        const found = await api.get(jobs, namespace, name);
        return condition(found, 'Complete') === 'True' && at(found, 'status.succeeded') === count;
      });
    }
    await api.create(jobs, namespace, {
      metadata: { name: 'brief' },
      spec: { template, ttlSecondsAfterFinished: 2 },
    });
    await until('brief: gone after its time', async () => !(await api.get(jobs, namespace, 'brief')));
  },
};

export const cronJob: Scenario = {
  name: 'cronjob',
  async run({ api, namespace, until }) {
    const spec = { schedule: '* * * * *', jobTemplate: { spec: { template } } };
    await api.create(cronJobs, namespace, { metadata: { name: 'minutely' }, spec });
    await until('a Job within the minute', async () => (await api.list(jobs, namespace)).length > 0);
    await until('it is complete, and the CronJob knows', async () => {
      const [first] = await api.list(jobs, namespace);
      const owner = await api.get(cronJobs, namespace, 'minutely');
      return condition(first, 'Complete') === 'True' && !!at(owner, 'status.lastSuccessfulTime');
    });
  },
};
