// horizontalpodautoscaler-controller with the resource metrics of simulated nodes, on a movable clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, testServer } from '../support/client.ts';
import { conditionsOf, until } from '../support/controllers.ts';
import { WorkloadNamespace } from '../support/workloads.ts';

/** A node runs 110 pods. */
const nodes = 4;
const api = testServer({
  nodes,
  controllers: [
    'deployment-controller',
    'replicaset-controller',
    'serviceaccount-controller',
    'garbage-collector-controller',
    'horizontalpodautoscaler-controller',
    'scheduler',
  ],
  featureGates: { HPAConfigurableTolerance: true },
});

const syncPeriodMs = 15_000;
/** Longer than the window of a sample: the CPU of pods that are ready since then counts. */
const warmUpMs = 20_000;
const cpuUsage = 'simulation.orch.io/cpu-usage';
const memoryUsage = 'simulation.orch.io/memory-usage';
const metrics = '/apis/metrics.orch.io/v1beta1';

interface Status {
  readonly currentReplicas?: number;
  readonly desiredReplicas: number;
  readonly lastScaleTime?: string;
  readonly currentMetrics: object[] | null;
}

const cpuMetric = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

/** A Deployment `web` whose containers request 100m of CPU and 100Mi of memory, and its autoscaler. */
class Autoscaling {
  readonly namespace: WorkloadNamespace;

  private constructor(namespace: WorkloadNamespace) {
    this.namespace = namespace;
  }

  static async start(replicas: number, usage: Record<string, string>, spec: object, podSpec: object = {}) {
    const autoscaling = new Autoscaling(await WorkloadNamespace.create(api));
    await autoscaling.deploy(replicas, usage, podSpec);
    await autoscaling.create(spec);
    return autoscaling;
  }

  async deploy(replicas: number, usage: Record<string, string>, podSpec: object): Promise<void> {
    const labels = { app: 'web' };
    const resources = { requests: { cpu: '100m', memory: '100Mi' } };
    await this.namespace.create('apps/deployments', {
      metadata: { name: 'web' },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels, annotations: usage },
          spec: { containers: [{ name: 'c', image: 'i', resources }], ...podSpec },
        },
      },
    });
    if (Object.keys(podSpec).length === 0) await this.untilReady(replicas);
  }

  async untilReady(replicas: number): Promise<void> {
    if (replicas > 0) await this.namespace.untilStatus('apps/deployments/web', { readyReplicas: replicas });
    api.server.clock.advance(warmUpMs);
  }

  get path(): string {
    return `/apis/autoscaling/v2/namespaces/${this.namespace.name}/horizontalpodautoscalers`;
  }

  async create(spec: object, path = this.path): Promise<void> {
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    const { code, text } = await api.post(path, {
      metadata: { name: 'web' },
      spec: { scaleTargetRef, maxReplicas: 20, ...spec },
    });
    assert.equal(code, 201, text);
  }

  async get(path = this.path): Promise<Body> {
    return (await api.get(`${path}/web`)).body;
  }

  async replicas(): Promise<number> {
    return (await this.namespace.get('apps/deployments/web')).spec.replicas as number;
  }

  /** Advances the clock by a sync period, and waits until the autoscaler has this condition. */
  async sync(reason: string, ms = syncPeriodMs): Promise<Body> {
    api.server.clock.advance(ms);
    return until(
      () => this.get(),
      (autoscaler) => conditionsOf(autoscaler).some((condition) => condition.reason === reason),
    );
  }

  async untilScaledTo(replicas: number, ms = syncPeriodMs): Promise<void> {
    api.server.clock.advance(ms);
    await until(
      () => this.replicas(),
      (count) => count === replicas,
    );
  }

  /** Sets the usage of all pods. */
  async use(usage: Record<string, string>): Promise<void> {
    for (const { metadata } of await this.namespace.activePods())
      await this.namespace.patch(`pods/${metadata.name}`, { metadata: { annotations: usage } });
  }
}

const conditionLines = (autoscaler: Body) =>
  conditionsOf(autoscaler).map(({ type, status, reason }) => `${type} ${status} ${reason}`);
const messageOf = (autoscaler: Body, type: string) =>
  conditionsOf(autoscaler).find((condition) => condition.type === type)?.message;

test('usage above the target scales up, at most to twice the replicas at once', async () => {
  const autoscaling = await Autoscaling.start(3, { [cpuUsage]: '200m' }, { metrics: [cpuMetric(50)] });
  const autoscaler = await autoscaling.sync('SucceededRescale');
  assert.equal(await autoscaling.replicas(), 6);
  assert.deepEqual(conditionLines(autoscaler), [
    'AbleToScale True SucceededRescale',
    'ScalingActive True ValidMetricFound',
    'ScalingLimited True ScaleUpLimit',
  ]);
  const { lastScaleTime, currentMetrics, ...status } = autoscaler.status as Status;
  assert.ok(lastScaleTime);
  assert.deepEqual([status.currentReplicas, status.desiredReplicas], [3, 6]);
  assert.deepEqual(currentMetrics, [
    {
      type: 'Resource',
      resource: { name: 'cpu', current: { averageUtilization: 200, averageValue: '200m' } },
    },
  ]);
  assert.deepEqual(await autoscaling.namespace.untilEvents('HorizontalPodAutoscaler', 1), [
    'Normal SuccessfulRescale New size: 6; reason: cpu resource utilization (percentage of request) above target',
  ]);
});

test('usage below the target scales down after five minutes', async () => {
  const autoscaling = await Autoscaling.start(
    4,
    { [cpuUsage]: '10m' },
    { metrics: [cpuMetric(50)], minReplicas: 2 },
  );
  const autoscaler = await autoscaling.sync('ScaleDownStabilized');
  assert.equal(await autoscaling.replicas(), 4);
  assert.equal((autoscaler.status as Status).desiredReplicas, 4);
  await autoscaling.sync('ScaleDownStabilized', 4 * 60_000);
  assert.equal(await autoscaling.replicas(), 4);
  await autoscaling.untilScaledTo(2, 60_000);
  const { status } = await autoscaling.sync('TooFewReplicas');
  assert.equal((status as Status).desiredReplicas, 2);
});

test('a value per pod is a target, too, and the highest of several metrics counts', async () => {
  const memory = {
    type: 'Resource',
    resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '40Mi' } },
  };
  const usage = { [cpuUsage]: '50m', [memoryUsage]: '60Mi' };
  const autoscaling = await Autoscaling.start(2, usage, { metrics: [cpuMetric(50), memory] });
  const autoscaler = await autoscaling.sync('SucceededRescale');
  assert.equal(await autoscaling.replicas(), 3);
  assert.match(messageOf(autoscaler, 'ScalingActive')!, /replica count from memory resource$/);
  assert.deepEqual((autoscaler.status as Status).currentMetrics?.[1], {
    type: 'Resource',
    resource: { name: 'memory', current: { averageValue: '62914560' } },
  });
});

test('a container resource counts one container', async () => {
  const metric = {
    type: 'ContainerResource',
    containerResource: {
      name: 'cpu',
      container: 'c',
      target: { type: 'Utilization', averageUtilization: 50 },
    },
  };
  const autoscaling = await Autoscaling.start(2, { [cpuUsage]: 'c=80m' }, { metrics: [metric] });
  const autoscaler = await autoscaling.sync('SucceededRescale');
  assert.equal(await autoscaling.replicas(), 4);
  assert.match(messageOf(autoscaler, 'ScalingActive')!, /cpu container resource utilization/);
});

test('usage within the tolerance scales nothing, and the tolerance can be set', async () => {
  const within = await Autoscaling.start(2, { [cpuUsage]: '54m' }, { metrics: [cpuMetric(50)] });
  const autoscaler = await within.sync('ReadyForNewScale');
  assert.deepEqual(conditionLines(autoscaler)[2], 'ScalingLimited False DesiredWithinRange');
  assert.equal(await within.replicas(), 2);
  const behavior = { scaleUp: { tolerance: '0.01' } };
  const strict = await Autoscaling.start(2, { [cpuUsage]: '54m' }, { metrics: [cpuMetric(50)], behavior });
  await strict.untilScaledTo(3);
});

test('policies of a behavior limit the change within their period', async () => {
  const behavior = {
    scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
    scaleDown: {
      stabilizationWindowSeconds: 0,
      policies: [{ type: 'Percent', value: 50, periodSeconds: 60 }],
    },
  };
  const autoscaling = await Autoscaling.start(
    4,
    { [cpuUsage]: '200m' },
    { metrics: [cpuMetric(50)], behavior },
  );
  await autoscaling.untilScaledTo(5);
  await autoscaling.untilReady(5);
  const limited = await autoscaling.sync('ScaleUpLimit', 0);
  assert.equal((limited.status as Status).desiredReplicas, 5);
  await autoscaling.untilScaledTo(6, 60_000);
  await autoscaling.untilReady(6);
  await autoscaling.use({ [cpuUsage]: '1m' });
  // Five replicas a minute ago: half of them.
  await autoscaling.untilScaledTo(3, 60_000);
  await autoscaling.sync('ScaleDownLimit');
});

test('a disabled direction is not scaled', async () => {
  const behavior = { scaleUp: { selectPolicy: 'Disabled' } };
  const autoscaling = await Autoscaling.start(
    2,
    { [cpuUsage]: '200m' },
    { metrics: [cpuMetric(50)], behavior },
  );
  await autoscaling.sync('ScaleUpLimit');
  assert.equal(await autoscaling.replicas(), 2);
});

test('a target outside of minReplicas and maxReplicas is scaled into them without metrics', async () => {
  const above = await Autoscaling.start(5, {}, { maxReplicas: 3 });
  const autoscaler = await above.sync('SucceededRescale');
  assert.equal(await above.replicas(), 3);
  assert.deepEqual(conditionLines(autoscaler), ['AbleToScale True SucceededRescale']);
  const below = await Autoscaling.start(1, {}, { minReplicas: 3 });
  await below.untilScaledTo(3);
  assert.deepEqual(await below.namespace.untilEvents('HorizontalPodAutoscaler', 1), [
    'Normal SuccessfulRescale New size: 3; reason: Current number of replicas below Spec.MinReplicas',
  ]);
});

test('a target with zero replicas is left alone', async () => {
  const autoscaling = await Autoscaling.start(0, {}, { minReplicas: 2 });
  const autoscaler = await autoscaling.sync('ScalingDisabled');
  assert.equal(await autoscaling.replicas(), 0);
  assert.equal((autoscaler.status as Status).desiredReplicas, 0);
});

test('without metrics nothing is scaled, and Events say why', async () => {
  const autoscaling = await Autoscaling.start(2, {}, { metrics: [cpuMetric(50)] }, { schedulerName: 'none' });
  const autoscaler = await autoscaling.sync('FailedGetResourceMetric');
  const detail =
    'failed to get cpu utilization: unable to get metrics for resource cpu: no metrics returned from resource metrics API';
  assert.equal(
    messageOf(autoscaler, 'ScalingActive'),
    `the HPA was unable to compute the replica count: ${detail}`,
  );
  assert.deepEqual((autoscaler.status as Status).currentMetrics, [{ type: '' }]);
  assert.deepEqual(await autoscaling.namespace.untilEvents('HorizontalPodAutoscaler', 2), [
    `Warning FailedGetResourceMetric ${detail}`,
    `Warning FailedComputeMetricsReplicas invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: ${detail}`,
  ]);
});

test('a metric that cannot be read prevents scaling down, not up', async () => {
  const external = {
    type: 'External',
    external: { metric: { name: 'queue' }, target: { type: 'AverageValue', averageValue: '1' } },
  };
  const behavior = { scaleDown: { stabilizationWindowSeconds: 0 } };
  const spec = { metrics: [external, cpuMetric(50)], behavior };
  const autoscaling = await Autoscaling.start(2, { [cpuUsage]: '1m' }, spec);
  const autoscaler = await autoscaling.sync('FailedGetExternalMetric');
  assert.match(
    messageOf(autoscaler, 'ScalingActive')!,
    /could not find the requested resource \(get queue\.external\.metrics\.orch\.io\)$/,
  );
  assert.equal(await autoscaling.replicas(), 2);
  await autoscaling.use({ [cpuUsage]: '100m' });
  await autoscaling.untilScaledTo(4);
});

test('a container without requests has no utilization', async () => {
  const containers = [{ name: 'c', image: 'i' }];
  const namespace = await Autoscaling.start(1, {}, { metrics: [cpuMetric(50)] }, { containers });
  await namespace.untilReady(1);
  const autoscaler = await namespace.sync('FailedGetResourceMetric', 0);
  assert.match(messageOf(autoscaler, 'ScalingActive')!, /missing request for cpu in container c of Pod web-/);
});

test('a target that does not exist, or has no scale, is reported', async () => {
  const targets: readonly [object, RegExp][] = [
    [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'gone' }, /deployments\.apps "gone" not found$/],
    [{ apiVersion: 'v1', kind: 'Pod', name: 'gone' }, /the server could not find the requested resource$/],
    [{ apiVersion: 'apps/v1', kind: 'Nothing', name: 'x' }, /no matches for kind "Nothing" in group "apps"$/],
  ];
  for (const [scaleTargetRef, message] of targets) {
    const autoscaling = await Autoscaling.start(0, {}, { scaleTargetRef });
    const autoscaler = await autoscaling.sync('FailedGetScale');
    assert.match(messageOf(autoscaler, 'AbleToScale')!, message);
    const [event] = await autoscaling.namespace.untilEvents('HorizontalPodAutoscaler', 1);
    assert.match(event!, /^Warning FailedGetScale /);
    assert.match(event!, message);
  }
});

test('pods of two autoscalers are ambiguous', async () => {
  const autoscaling = await Autoscaling.start(1, { [cpuUsage]: '50m' }, { metrics: [cpuMetric(50)] });
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  await api.post(autoscaling.path, { metadata: { name: 'again' }, spec: { scaleTargetRef, maxReplicas: 5 } });
  await autoscaling.sync('ValidMetricFound');
  const autoscaler = await autoscaling.sync('AmbiguousSelector');
  const { name } = autoscaling.namespace;
  assert.equal(
    messageOf(autoscaler, 'ScalingActive'),
    `pods by selector app=web are controlled by multiple HPAs: [${name}/again ${name}/web]`,
  );
});

test('an autoscaling/v1 autoscaler works as one of v2', async () => {
  const workload = await Autoscaling.start(
    2,
    { [cpuUsage]: '80m' },
    { maxReplicas: 1, metrics: [cpuMetric(50)] },
  );
  const path = workload.path.replace('/v2/', '/v1/');
  await api.delete(`${path}/web`);
  await workload.create({ targetCPUUtilizationPercentage: 40 }, path);
  await workload.untilScaledTo(4);
  const { status } = await until(
    () => workload.get(path),
    ({ status }) => (status as Status).desiredReplicas === 4,
  );
  assert.equal((status as { currentCPUUtilizationPercentage: number }).currentCPUUtilizationPercentage, 80);
});

test('a custom resource with the scale subresource is scaled', async () => {
  const group = 'hpa.example.com';
  const fields = { type: 'object', properties: { size: { type: 'integer' }, selector: { type: 'string' } } };
  const scale = {
    specReplicasPath: '.spec.size',
    statusReplicasPath: '.status.size',
    labelSelectorPath: '.status.selector',
  };
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: fields, status: fields } } },
    subresources: { status: {}, scale },
  };
  const created = await api.post('/apis/apiextensions.orch.io/v1/customresourcedefinitions', {
    metadata: { name: `fleets.${group}` },
    spec: { group, scope: 'Namespaced', names: { plural: 'fleets', kind: 'Fleet' }, versions: [version] },
  });
  assert.equal(created.code, 201, created.text);
  await until(
    () => api.get(`/apis/${group}/v1`),
    ({ code }) => code === 200,
  );
  const namespace = await WorkloadNamespace.create(api);
  const fleets = `/apis/${group}/v1/namespaces/${namespace.name}/fleets`;
  const fleet = await api.post(fleets, {
    apiVersion: `${group}/v1`,
    kind: 'Fleet',
    metadata: { name: 'f' },
    spec: { size: 1 },
  });
  const status = { size: 1, selector: 'fleet=f' };
  const put = await api.put(`${fleets}/f/status`, { ...fleet.body, status });
  assert.equal(put.code, 200, put.text);
  await namespace.create('pods', {
    metadata: { name: 'ship', labels: { fleet: 'f' }, annotations: { [cpuUsage]: '100m' } },
    spec: {
      nodeName: 'node-0',
      containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '100m' } } }],
    },
  });
  await namespace.until('pods/ship', (pod) => (pod.status as { phase: string }).phase === 'Running');
  api.server.clock.advance(warmUpMs);
  await api.post(`/apis/autoscaling/v2/namespaces/${namespace.name}/horizontalpodautoscalers`, {
    metadata: { name: 'fleet' },
    spec: {
      scaleTargetRef: { apiVersion: `${group}/v1`, kind: 'Fleet', name: 'f' },
      maxReplicas: 10,
      metrics: [cpuMetric(50)],
    },
  });
  api.server.clock.advance(syncPeriodMs);
  await until(
    () => api.get(`${fleets}/f`),
    ({ body }) => body.spec.size === 2,
  );
});

test('metrics of simulated pods and nodes are served with discovery', async () => {
  const { namespace } = await Autoscaling.start(2, { [cpuUsage]: '150m', [memoryUsage]: '10Mi' }, {});
  const pods = await api.get(`${metrics}/namespaces/${namespace.name}/pods?labelSelector=app%3Dweb`);
  assert.equal(pods.body.kind, 'PodMetricsList');
  assert.deepEqual(
    pods.body.items.map(({ containers, window }) => ({ containers, window })),
    Array.from({ length: 2 }, () => ({
      containers: [{ name: 'c', usage: { cpu: '150m', memory: '10Mi' } }],
      window: '10s',
    })),
  );
  const { name } = pods.body.items[0]!.metadata;
  const one = await api.get(`${metrics}/namespaces/${namespace.name}/pods/${name}`);
  assert.deepEqual([one.body.kind, one.body.metadata.labels?.app], ['PodMetrics', 'web']);
  assert.equal(
    (await api.get(`${metrics}/namespaces/${namespace.name}/pods?labelSelector=app%3Dno`)).body.items.length,
    0,
  );
  assert.equal((await api.get(`${metrics}/namespaces/${namespace.name}/pods/none`)).code, 404);
  const node = await api.get(`${metrics}/nodes/node-0`);
  assert.equal(node.body.kind, 'NodeMetrics');
  assert.match((node.body as unknown as { usage: { cpu: string } }).usage.cpu, /^[1-9]/);
  assert.equal((await api.get(`${metrics}/nodes`)).body.items.length, nodes);
  const resources = (await api.get(metrics)).body as unknown as {
    resources: { name: string; verbs: string[] }[];
  };
  assert.deepEqual(
    resources.resources.map(({ name: resource, verbs }) => `${resource} ${verbs}`),
    ['nodes get,list', 'pods get,list'],
  );
  const service = await api.get('/apis/apiregistration.orch.io/v1/apiservices/v1beta1.metrics.orch.io');
  assert.equal(service.code, 404);
});

test('an APIService takes precedence over the metrics of simulated nodes', async () => {
  const services = '/apis/apiregistration.orch.io/v1/apiservices';
  const name = 'v1beta1.metrics.orch.io';
  const untilCode = (code: number) =>
    until(
      () => api.get(`${metrics}/nodes`),
      (response) => response.code === code,
    );
  const { code, text } = await api.post(services, {
    metadata: { name },
    spec: {
      ...{ group: 'metrics.orch.io', version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100 },
      service: { namespace: 'default', name: 'none' },
      insecureSkipTLSVerify: true,
    },
  });
  assert.equal(code, 201, text);
  await untilCode(503);
  const autoscaling = await Autoscaling.start(1, { [cpuUsage]: '50m' }, { metrics: [cpuMetric(50)] });
  const autoscaler = await autoscaling.sync('FailedGetResourceMetric');
  assert.match(
    messageOf(autoscaler, 'ScalingActive')!,
    /the server is currently unable to handle the request \(get pods\.metrics\.orch\.io\)$/,
  );
  await api.delete(`${services}/${name}`);
  await untilCode(200);
  await autoscaling.sync('ValidMetricFound');
});
