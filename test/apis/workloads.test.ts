import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';

const api = testServer();

const labels = { app: 'web' };
const template = (spec: object = {}) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const set = { selector: { matchLabels: labels }, template: template() };

/** A new namespace with an object `a` of the kind. Returns the path of the object. */
async function made(groupVersion: string, resource: string, spec: object): Promise<string> {
  const collection = (await api.namespace(resource)).replace('/api/v1', groupVersion);
  const { code, text } = await api.post(collection, { metadata: { name: 'a' }, spec });
  assert.equal(code, 201, text);
  return `${collection}/a`;
}

const scalable = [
  ['/apis/apps/v1', 'deployments', set],
  ['/apis/apps/v1', 'replicasets', set],
  ['/apis/apps/v1', 'statefulsets', set],
  ['/api/v1', 'replicationcontrollers', { selector: labels, template: template() }],
] as const;

for (const [groupVersion, resource, spec] of scalable) {
  test(`${resource} are read and resized through scale`, async () => {
    const path = await made(groupVersion, resource, spec);
    const { body: parent } = await api.get(path);
    const { body: scale } = await api.get(`${path}/scale`);
    assert.equal(scale.kind, 'Scale');
    assert.equal(scale.apiVersion, 'autoscaling/v1');
    assert.equal(scale.metadata.uid, parent.metadata.uid);
    assert.equal(scale.metadata.resourceVersion, parent.metadata.resourceVersion);
    assert.deepEqual(scale.spec, { replicas: 1 });
    assert.deepEqual(scale.status, { replicas: 0, selector: 'app=web' });

    const { code, body: resized } = await api.put(`${path}/scale`, { ...scale, spec: { replicas: 3 } });
    assert.equal(code, 200);
    assert.deepEqual(resized.spec, { replicas: 3 });
    const { body: now } = await api.get(path);
    assert.equal(now.spec.replicas, 3);
    assert.equal(now.metadata.generation, 2);
    assert.equal(now.metadata.resourceVersion, resized.metadata.resourceVersion);
  });
}

test('a scale with negative replicas, an old resourceVersion or another uid is rejected', async () => {
  const path = await made('/apis/apps/v1', 'deployments', set);
  const { body: scale } = await api.get(`${path}/scale`);
  const resize = (changes: object) => api.put(`${path}/scale`, { ...scale, ...changes });
  assert.equal((await resize({ spec: { replicas: -1 } })).body.details.causes[0]?.field, 'spec.replicas');
  assert.equal((await resize({ metadata: { ...scale.metadata, name: 'b' } })).code, 400);
  assert.equal((await resize({ metadata: { ...scale.metadata, uid: 'b' } })).code, 409);
  assert.equal((await resize({ spec: { replicas: 2 } })).code, 200);
  assert.equal((await resize({ spec: { replicas: 3 } })).code, 409);
});

test('a Job gets labels with its name and uid, and its selector uses the uid', async () => {
  const path = await made('/apis/batch/v1', 'jobs', { template: template({ restartPolicy: 'Never' }) });
  const { metadata, spec } = (await api.get(path)).body;
  const { uid } = metadata;
  assert.deepEqual(spec.selector, { matchLabels: { 'batch.orch.io/controller-uid': uid } });
  const made_ = {
    ...labels,
    'batch.orch.io/controller-uid': uid,
    'batch.orch.io/job-name': 'a',
    'controller-uid': uid,
    'job-name': 'a',
  };
  assert.deepEqual((spec.template as ReturnType<typeof template>).metadata.labels, made_);
  assert.deepEqual(metadata.labels, made_);
});

test('deleting a Job orphans its pods with a warning, unless propagationPolicy is set', async () => {
  const spec = { template: template({ restartPolicy: 'Never' }) };
  const path = await made('/apis/batch/v1', 'jobs', spec);
  const { resourceVersion } = (await api.get(path)).body.metadata;
  const { headers } = await api.delete(path);
  assert.match(headers.get('warning') ?? '', /child pods are preserved by default when jobs are deleted/);
  const collection = path.slice(0, path.lastIndexOf('/'));
  const watch = await api.watch(`${collection}?watch=1&resourceVersion=${resourceVersion}`);
  assert.deepEqual((await watch.next())?.object.metadata.finalizers, ['orphan']);
  watch.close();

  const other = await made('/apis/batch/v1', 'jobs', spec);
  const said = await api.delete(`${other}?propagationPolicy=Background`);
  assert.equal(said.headers.get('warning'), null);
  assert.equal((await api.get(other)).code, 404);
});

test('the field selector status.successful selects Jobs in lists and watches', async () => {
  const path = await made('/apis/batch/v1', 'jobs', { template: template({ restartPolicy: 'Never' }) });
  const collection = path.slice(0, path.lastIndexOf('/'));
  const { body: job } = await api.get(path);
  const watch = await api.watch(
    `${collection}?watch=true&fieldSelector=status.successful=1&resourceVersion=${job.metadata.resourceVersion}`,
  );
  const status = { startTime: '2024-01-02T03:04:05Z', succeeded: 1 };
  assert.equal((await api.put(`${path}/status`, { ...job, status })).code, 200);
  assert.equal((await watch.next())?.type, 'ADDED');
  watch.close();
  const count = async (successful: number) =>
    (await api.get(`${collection}?fieldSelector=status.successful=${successful}`)).body.items.length;
  assert.deepEqual([await count(0), await count(1)], [0, 1]);
});

test('a HorizontalPodAutoscaler is one object in two versions', async () => {
  const target = { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 5 };
  const path = await made('/apis/autoscaling/v1', 'horizontalpodautoscalers', {
    ...target,
    targetCPUUtilizationPercentage: 30,
  });
  const { body: v2 } = await api.get(path.replace('/v1/', '/v2/'));
  assert.equal(v2.apiVersion, 'autoscaling/v2');
  const cpu = { name: 'cpu', target: { type: 'Utilization', averageUtilization: 30 } };
  const pods = { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '5' } };
  assert.deepEqual(v2.spec.metrics, [{ type: 'Resource', resource: cpu }]);

  const metrics = [{ type: 'Pods', pods }];
  await api.put(path.replace('/v1/', '/v2/'), { ...v2, spec: { ...v2.spec, metrics } });
  const { body: v1 } = await api.get(path);
  assert.equal(v1.spec.targetCPUUtilizationPercentage, undefined);
  assert.deepEqual(v1.metadata.annotations, {
    'autoscaling.alpha.orch.io/metrics':
      '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"5"}}]',
  });
});
