// A workload that no controller manager or scheduler takes up gets an Event that says why it stands still.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';
import { until } from '../support/controllers.ts';

const api = testServer({ controllers: ['*', 'unmanaged-workload-controller'] });

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'web' }] },
};
const replicated = (name: string) => ({
  metadata: { name },
  spec: { selector: { matchLabels: { app: 'web' } }, template },
});

test('an Event on a Deployment and on a Pod says what is not connected', async () => {
  const events = await api.namespace('events');
  const namespace = events.replace('/events', '');
  const deployments = namespace.replace('/api/v1', '/apis/apps/v1');
  const jobs = namespace.replace('/api/v1', '/apis/batch/v1');
  const created = [
    await api.post(`${deployments}/deployments`, replicated('standing')),
    await api.post(`${deployments}/deployments`, replicated('observed')),
    await api.post(`${jobs}/jobs`, {
      metadata: { name: 'job' },
      spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } },
    }),
    await api.post(`${namespace}/pods`, { metadata: { name: 'pod' }, spec: template.spec }),
    await api.post(`${namespace}/pods`, {
      metadata: { name: 'assigned' },
      spec: { ...template.spec, nodeName: 'n' },
    }),
  ];
  for (const { code, text } of created) assert.equal(code, 201, text);
  const observed = { ...created[1]!.body, status: { observedGeneration: 1 } };
  assert.equal((await api.put(`${deployments}/deployments/observed/status`, observed)).code, 200);

  const { body } = await until(
    () => {
      api.server.clock.advance(10_000);
      return api.get(events);
    },
    ({ body }) => body.items.length >= 3,
  );
  const lines = body.items.map((event) => {
    const { involvedObject, reason } = event as unknown as {
      involvedObject: { name: string };
      reason: string;
    };
    return `${involvedObject.name} ${reason}`;
  });
  assert.deepEqual(lines.sort(), [
    'job NoControllerManager',
    'pod NoScheduler',
    'standing NoControllerManager',
  ]);
});
