// Scheduler profiles: pods choose the plugins by their schedulerName, and an invalid file is an error at start.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startServer } from '../../src/index.ts';
import { testServer } from '../support/client.ts';
import { conditionsOf, until } from '../support/controllers.ts';

const folder = mkdtempSync(join(tmpdir(), 'profiles-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function fileWith(name: string, fields: string): string {
  const file = join(folder, name);
  const header = 'apiVersion: kubescheduler.config.orch.io/v1\nkind: KubeSchedulerConfiguration\n';
  writeFileSync(file, header + fields);
  return file;
}

const api = testServer({
  nodes: 2,
  schedulerConfig: fileWith(
    'profiles.yaml',
    `profiles:
- schedulerName: default-scheduler
- schedulerName: careless
  plugins:
    filter: { disabled: [{ name: NodeResourcesFit }] }
- schedulerName: peaceful
  plugins:
    postFilter: { disabled: [{ name: DefaultPreemption }] }
`,
  ),
});

test('pods are scheduled by the profile of their schedulerName', async () => {
  const pods = await api.namespace('pods');
  const resources = { requests: { cpu: '64' } };
  for (const schedulerName of ['default-scheduler', 'careless', 'peaceful', 'nobody']) {
    const spec = { schedulerName, containers: [{ name: 'c', image: 'i', resources }] };
    const { code, text } = await api.post(pods, { metadata: { name: schedulerName }, spec });
    assert.equal(code, 201, text);
  }
  const decided = async (name: string) => {
    const { body } = await until(
      () => api.get(`${pods}/${name}`),
      (response) => conditionsOf(response.body).some(({ type }) => type === 'PodScheduled'),
    );
    return conditionsOf(body).find(({ type }) => type === 'PodScheduled')!;
  };
  assert.equal((await decided('careless')).status, 'True');
  const insufficient = '0/2 nodes are available: 2 Insufficient cpu.';
  assert.equal((await decided('peaceful')).message, insufficient);
  assert.match((await decided('default-scheduler')).message, /^0\/2 nodes .* cpu\. preemption: 0\/2 nodes/);
  assert.deepEqual(conditionsOf((await api.get(`${pods}/nobody`)).body), []);
  const events = pods.replace(/pods$/, 'events');
  const { body } = await until(
    () => api.get(events),
    ({ body: { items } }) => items.some(({ reason }) => reason === 'Scheduled'),
  );
  const scheduled = body.items.find(({ reason }) => reason === 'Scheduled') as unknown as {
    source: { component: string };
    reportingComponent: string;
  };
  assert.equal(scheduled.source.component || scheduled.reportingComponent, 'careless');
});

test('an invalid file is an error with the path of the field', async () => {
  const schedulerConfig = fileWith('invalid.yaml', 'profiles: [{ plugins: { filters: {} } }]');
  await assert.rejects(startServer({ schedulerConfig }), {
    message: `--scheduler-config ${schedulerConfig}: profiles[0].plugins.filters: unknown field (did you mean filter?)`,
  });
});
