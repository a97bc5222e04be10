// horizontalpodautoscaler-controller with resource, custom and external metrics of an aggregated API server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Body, testServer } from '../support/client.ts';
import { conditionsOf, until } from '../support/controllers.ts';
import { type MetricsServer, startMetricsServer } from '../support/metrics-server.ts';
import { WorkloadNamespace } from '../support/workloads.ts';

/** A range whose cluster IPs are loopback addresses. */
const range = '127.77.5.0/24';
const address = '127.77.5.7';
const apiServices = '/apis/apiregistration.orch.io/v1/apiservices';
const syncPeriodMs = 15_000;

const api = testServer({
  controllers: ['horizontalpodautoscaler-controller', 'serviceaccount-controller'],
  serviceClusterIpRange: [range],
});

const values = new Map<string, object[]>();
let server: MetricsServer;

before(async () => {
  server = await startMetricsServer(address, 'metrics.default.svc', (path) => values.get(path));
});
after(() => server?.stop());

async function register(group: string, version: string): Promise<void> {
  await api.post('/api/v1/namespaces/default/services', {
    metadata: { name: 'metrics' },
    spec: { type: 'NodePort', clusterIP: address, ports: [{ port: server.port }] },
  });
  const name = `${version}.${group}`;
  const { code, text } = await api.post(apiServices, {
    metadata: { name },
    spec: {
      ...{ group, version, groupPriorityMinimum: 100, versionPriority: 100 },
      service: { namespace: 'default', name: 'metrics', port: server.port },
      caBundle: server.caBundle,
    },
  });
  assert.equal(code, 201, text);
  await until(
    () => api.get(`${apiServices}/${name}`),
    ({ body }) => conditionsOf(body).some(({ reason }) => reason === 'Passed'),
  );
}

/** A ReplicaSet with running pods `p-0`, `p-1`…, and its autoscaler. */
async function autoscale(replicas: number, metric: object): Promise<WorkloadNamespace> {
  const namespace = await WorkloadNamespace.create(api);
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '100m' } } }] },
  };
  await namespace.create('apps/replicasets', {
    metadata: { name: 'web' },
    spec: { replicas, selector: { matchLabels: { app: 'web' } }, template },
  });
  await namespace.patch('apps/replicasets/web/status', { status: { replicas } });
  for (let index = 0; index < replicas; index++) {
    await namespace.create('pods', { ...template, metadata: { ...template.metadata, name: `p-${index}` } });
    const startTime = '2020-01-01T00:00:00Z';
    await namespace.setReady(`p-${index}`, true, { startTime });
  }
  const created = await api.post(autoscalers(namespace), {
    metadata: { name: 'web' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web' },
      maxReplicas: 20,
      metrics: [metric],
    },
  });
  assert.equal(created.code, 201, created.text);
  return namespace;
}

const autoscalers = ({ name }: WorkloadNamespace) =>
  `/apis/autoscaling/v2/namespaces/${name}/horizontalpodautoscalers`;

async function synced(namespace: WorkloadNamespace, reason: string): Promise<Body> {
  api.server.clock.advance(syncPeriodMs);
  const { body } = await until(
    () => api.get(`${autoscalers(namespace)}/web`),
    ({ body }) => conditionsOf(body).some((condition) => condition.reason === reason),
  );
  return body;
}

const replicasOf = async (namespace: WorkloadNamespace) =>
  (await namespace.get('apps/replicasets/web')).spec.replicas;
const currentMetrics = ({ status }: Body) => (status as { currentMetrics: object[] }).currentMetrics;
const activeMessage = (autoscaler: Body) =>
  conditionsOf(autoscaler).find(({ type }) => type === 'ScalingActive')?.message;

const now = () => new Date(api.server.clock.now()).toISOString();

test('a metrics API that is not registered is reported', async () => {
  const cpu = {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
  };
  const byResource = await autoscale(1, cpu);
  assert.match(
    activeMessage(await synced(byResource, 'FailedGetResourceMetric'))!,
    /unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource \(get pods\.metrics\.orch\.io\)$/,
  );
  const pods = {
    type: 'Pods',
    pods: { metric: { name: 'qps' }, target: { type: 'AverageValue', averageValue: '10' } },
  };
  const byPods = await autoscale(1, pods);
  assert.match(
    activeMessage(await synced(byPods, 'FailedGetPodsMetric'))!,
    /unable to get metric qps: unable to fetch metrics from custom metrics API: no custom metrics API \(custom\.metrics\.orch\.io\) registered$/,
  );
});

test('resource metrics come from the APIService', async () => {
  await register('metrics.orch.io', 'v1beta1');
  const cpu = {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
  };
  const namespace = await autoscale(2, cpu);
  const path = `/apis/metrics.orch.io/v1beta1/namespaces/${namespace.name}/pods`;
  const sample = (name: string, usage: string) => ({
    metadata: { name },
    timestamp: now(),
    window: '30s',
    containers: [{ name: 'c', usage: { cpu: usage, memory: '1Mi' } }],
  });
  values.set(path, [sample('p-0', '100m'), sample('p-1', '80000000n')]);
  const autoscaler = await synced(namespace, 'SucceededRescale');
  assert.equal(await replicasOf(namespace), 4);
  assert.deepEqual(currentMetrics(autoscaler), [
    { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 90, averageValue: '90m' } } },
  ]);
  assert.ok(server.requests.includes(`${path}?labelSelector=app%3Dweb`));
});

test('a metric of pods comes from the custom metrics API', async () => {
  await register('custom.metrics.orch.io', 'v1beta2');
  const metric = { name: 'qps', selector: { matchLabels: { verb: 'GET' } } };
  const pods = { type: 'Pods', pods: { metric, target: { type: 'AverageValue', averageValue: '10' } } };
  const namespace = await autoscale(2, pods);
  const path = `/apis/custom.metrics.orch.io/v1beta2/namespaces/${namespace.name}/pods/*/qps`;
  const qpsOf = (name: string, value: string) => ({
    describedObject: { kind: 'Pod', name },
    metric: { name: 'qps' },
    timestamp: now(),
    value,
  });
  values.set(path, [qpsOf('p-0', '12500m'), qpsOf('p-1', '17500m')]);
  const autoscaler = await synced(namespace, 'SucceededRescale');
  assert.equal(await replicasOf(namespace), 3);
  assert.deepEqual(currentMetrics(autoscaler), [
    { type: 'Pods', pods: { metric, current: { averageValue: '15' } } },
  ]);
  assert.ok(server.requests.includes(`${path}?labelSelector=app%3Dweb&metricLabelSelector=verb%3DGET`));
});

test('a metric of an object comes from the custom metrics API, as a value or per replica', async () => {
  const describedObject = { apiVersion: 'networking.orch.io/v1', kind: 'Ingress', name: 'front' };
  const metricOf = (target: object) => ({
    type: 'Object',
    object: { describedObject, metric: { name: 'hits' }, target },
  });
  const cases: readonly [object, number, object][] = [
    [{ type: 'Value', value: '100' }, 5, { value: '250' }],
    [{ type: 'AverageValue', averageValue: '50' }, 5, { averageValue: '125' }],
  ];
  for (const [target, replicas, current] of cases) {
    const namespace = await autoscale(2, metricOf(target));
    const root = `/apis/custom.metrics.orch.io/v1beta2/namespaces/${namespace.name}`;
    values.set(`${root}/ingresses.networking.orch.io/front/hits`, [{ timestamp: now(), value: '250' }]);
    const autoscaler = await synced(namespace, 'ValidMetricFound');
    const limit = Math.min(replicas, 4);
    assert.equal(await replicasOf(namespace), limit);
    const [{ object }] = currentMetrics(autoscaler) as [{ object: { current: object } }];
    assert.deepEqual(object.current, current);
  }
});

test('a metric of the namespace has a path of its own', async () => {
  const describedObject = { apiVersion: 'v1', kind: 'Namespace', name: 'ignored' };
  const target = { type: 'Value', value: '10' };
  const namespace = await autoscale(1, {
    type: 'Object',
    object: { describedObject, metric: { name: 'load' }, target },
  });
  const root = `/apis/custom.metrics.orch.io/v1beta2/namespaces/${namespace.name}`;
  values.set(`${root}/metrics/load`, [{ timestamp: now(), value: '30' }]);
  const autoscaler = await synced(namespace, 'SucceededRescale');
  assert.equal(await replicasOf(namespace), 3);
  assert.match(activeMessage(autoscaler)!, /from Namespace metric load$/);
});

test('an external metric is the sum of its values', async () => {
  await register('external.metrics.orch.io', 'v1beta1');
  const metric = { name: 'queue', selector: { matchLabels: { topic: 'a' } } };
  const target = { type: 'AverageValue', averageValue: '10' };
  const namespace = await autoscale(2, { type: 'External', external: { metric, target } });
  const path = `/apis/external.metrics.orch.io/v1beta1/namespaces/${namespace.name}/queue`;
  values.set(path, [{ value: '15' }, { value: '25' }]);
  const autoscaler = await synced(namespace, 'SucceededRescale');
  assert.equal(await replicasOf(namespace), 4);
  assert.equal(
    activeMessage(autoscaler),
    'the HPA was able to successfully calculate a replica count from external metric queue(&LabelSelector{MatchLabels:map[string]string{topic: a,},MatchExpressions:[]LabelSelectorRequirement{},})',
  );
  assert.deepEqual(currentMetrics(autoscaler), [
    { type: 'External', external: { metric, current: { averageValue: '20' } } },
  ]);
  assert.ok(server.requests.includes(`${path}?labelSelector=topic%3Da`));
});

test('an error of the metrics server is in the condition', async () => {
  const target = { type: 'Value', value: '10' };
  const namespace = await autoscale(1, { type: 'External', external: { metric: { name: 'none' }, target } });
  const autoscaler = await synced(namespace, 'FailedGetExternalMetric');
  assert.equal(
    activeMessage(autoscaler),
    `the HPA was unable to compute the replica count: unable to get external metric ${namespace.name}/none/nil: unable to fetch metrics from external metrics API: no such metric`,
  );
});
