import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';

const api = testServer();
const classes = '/apis/scheduling.orch.io/v1/priorityclasses';

const pod = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i:1' }], ...spec },
});

const aClass = (name: string, value: number, more: object = {}) => ({ metadata: { name }, value, ...more });

test('a pod gets the priority of its PriorityClass and keeps it', async () => {
  await api.post(classes, aClass('quiet', 7, { preemptionPolicy: 'Never' }));
  const pods = await api.namespace('pods');
  const { body } = await api.post(pods, pod('a', { priorityClassName: 'quiet' }));
  assert.equal(body.spec.priority, 7);
  assert.equal(body.spec.preemptionPolicy, 'Never');
  await api.delete(`${classes}/quiet`);
  const again = { ...body, spec: { ...body.spec, priority: undefined, preemptionPolicy: undefined } };
  const { body: kept } = await api.put(`${pods}/a`, again);
  assert.equal(kept.spec.priority, 7);
  assert.equal(kept.spec.preemptionPolicy, 'Never');
  const { body: refused } = await api.post(pods, pod('b', { priorityClassName: 'quiet' }));
  assert.equal(refused.message, 'pods "b" is forbidden: no PriorityClass with name quiet was found');
});

test('a pod cannot set a priority other than that of its class', async () => {
  const { code, body } = await api.post(await api.namespace('pods'), pod('a', { priority: 5 }));
  assert.equal(code, 403);
  assert.match(body.message, /the integer value of priority \(5\) must not be provided in pod spec/);
});

test('the system PriorityClasses exist from the start and cannot be deleted', async () => {
  const { body } = await api.get(`${classes}/system-node-critical`);
  assert.equal(body.value, 2_000_001_000);
  assert.equal((await api.delete(`${classes}/system-node-critical`)).code, 403);
});

test('a second default PriorityClass is rejected; of several the lowest value applies', async () => {
  const pods = await api.namespace('pods');
  assert.equal((await api.post(classes, aClass('usual', 20, { globalDefault: true }))).code, 201);
  const { body: refused } = await api.post(classes, aClass('second', 10, { globalDefault: true }));
  assert.match(refused.message, /PriorityClass usual is already marked as default/);
  assert.equal((await api.post(pods, pod('a'))).body.spec.priority, 20);

  // This state is possible without the plugin.
  const { client } = api.server;
  const manifest = { apiVersion: 'scheduling.orch.io/v1', kind: 'PriorityClass' };
  await client.create({ ...manifest, ...aClass('second', 10, { globalDefault: true }) });
  const { body } = await api.post(pods, pod('b'));
  assert.equal(body.spec.priority, 10);
  assert.equal(body.spec.priorityClassName, 'second');

  api.server.reset();
  assert.equal((await api.post(await api.namespace('pods'), pod('a'))).body.spec.priority, 0);
});
