// Pods on simulated nodes: the built-in stages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, testServer } from '../support/client.ts';
import { until, untilDeleted } from '../support/controllers.ts';

// The owners of the pods do not exist, and a test binds a pod itself.
const api = testServer({ nodes: 2, controllers: ['*', '-garbage-collector-controller', '-scheduler'] });
const pods = '/api/v1/namespaces/default/pods';

interface ContainerStatus {
  name: string;
  ready: boolean;
  started: boolean;
  restartCount: number;
  image: string;
  imageID: string;
  containerID: string;
  state: Record<string, { reason?: string; exitCode?: number; startedAt?: string }>;
  lastState: Record<string, { reason?: string; exitCode?: number }>;
}
interface PodStatus {
  phase: string;
  podIP: string;
  podIPs: { ip: string }[];
  hostIP: string;
  startTime: string;
  qosClass: string;
  conditions: { type: string; status: string; reason?: string; message?: string }[];
  containerStatuses: ContainerStatus[];
  initContainerStatuses: ContainerStatus[];
  ephemeralContainerStatuses: ContainerStatus[];
}
const statusOf = ({ status }: Body) => status as PodStatus;
const conditionsOf = (pod: Body) =>
  Object.fromEntries(statusOf(pod).conditions.map(({ type, status }) => [type, status]));

const annotation = (name: string) => `simulation.orch.io/${name}`;
const container = { name: 'web', image: 'nginx' };

async function create(name: string, spec: object = {}, metadata: object = {}): Promise<Body> {
  const { code, text, body } = await api.post(pods, {
    metadata: { name, ...metadata },
    spec: { nodeName: 'node-0', containers: [container], ...spec },
  });
  assert.equal(code, 201, text);
  return body;
}

const inPhase = (name: string, phase: string) =>
  until(
    () => api.get(`${pods}/${name}`),
    ({ body }) => statusOf(body).phase === phase,
  ).then(({ body }) => body);

const patch = (path: string, body: object) =>
  api.request('PATCH', path, body, { 'content-type': 'application/strategic-merge-patch+json' });

/** Advances the clock until a condition holds. */
const later = <T>(ms: number, look: () => Promise<T>, isGood: (seen: T) => boolean) =>
  until(() => {
    api.server.clock.advance(ms);
    return look();
  }, isGood);

test('a pod runs and is ready at once, with all that a kubelet reports', async () => {
  await create('runs');
  const pod = await inPhase('runs', 'Running');
  const { podIP, podIPs, hostIP, startTime, qosClass, containerStatuses } = statusOf(pod);
  assert.match(podIP, /^10\.(1[2-9]\d|2\d\d)\.\d+\.\d+$/);
  assert.deepEqual(podIPs, [{ ip: podIP }]);
  assert.equal(hostIP, '172.16.0.1');
  assert.ok(startTime);
  assert.equal(qosClass, 'BestEffort');
  assert.deepEqual(conditionsOf(pod), {
    PodReadyToStartContainers: 'True',
    Initialized: 'True',
    Ready: 'True',
    ContainersReady: 'True',
    PodScheduled: 'True',
  });
  const [{ containerID, imageID, state, ...status }] = containerStatuses as [ContainerStatus];
  assert.match(containerID, /^simulated:\/\/[0-9a-f]{64}$/);
  assert.match(imageID, /^nginx@sha256:[0-9a-f]{64}$/);
  assert.ok(state.running!.startedAt);
  assert.deepEqual(status, {
    name: 'web',
    ready: true,
    started: true,
    restartCount: 0,
    image: 'nginx',
    lastState: {},
  });
});

test('pods have different addresses; a pod in the network of its host has that of the node', async () => {
  const names = ['ip-0', 'ip-1', 'ip-2', 'ip-3'];
  await Promise.all(names.map((name) => create(name)));
  const running = await Promise.all(names.map((name) => inPhase(name, 'Running')));
  assert.equal(new Set(running.map((pod) => statusOf(pod).podIP)).size, names.length);
  await create('host', { hostNetwork: true, nodeName: 'node-1' });
  assert.equal(statusOf(await inPhase('host', 'Running')).podIP, '172.16.0.2');
});

test('init containers have completed and sidecars run', async () => {
  await create('init', {
    initContainers: [
      { name: 'setup', image: 'setup' },
      { name: 'proxy', image: 'proxy', restartPolicy: 'Always' },
    ],
  });
  const pod = await inPhase('init', 'Running');
  const [setup, proxy] = statusOf(pod).initContainerStatuses as [ContainerStatus, ContainerStatus];
  assert.deepEqual(
    [setup.state.terminated?.reason, setup.state.terminated?.exitCode, setup.ready],
    ['Completed', 0, true],
  );
  assert.deepEqual([Object.keys(proxy.state), proxy.ready, proxy.started], [['running'], true, true]);
  assert.equal(conditionsOf(pod).Initialized, 'True');
});

test('a pod is ready once its readiness gates are, and an ephemeral container starts', async () => {
  await create('gated', { readinessGates: [{ conditionType: 'example.com/gate' }] });
  const pod = await inPhase('gated', 'Running');
  const ready = statusOf(pod).conditions.find(({ type }) => type === 'Ready')!;
  assert.deepEqual(
    [ready.status, ready.reason, ready.message],
    [
      'False',
      'ReadinessGatesNotReady',
      'corresponding condition of pod readiness gate "example.com/gate" does not exist.',
    ],
  );
  const conditions = [{ type: 'example.com/gate', status: 'True' }];
  await patch(`${pods}/gated/status`, { status: { conditions } });
  await until(
    () => api.get(`${pods}/gated`),
    ({ body }) => conditionsOf(body).Ready === 'True',
  );
  const ephemeralContainers = [{ name: 'debug', image: 'busybox' }];
  const { code, text } = await patch(`${pods}/gated/ephemeralcontainers`, { spec: { ephemeralContainers } });
  assert.equal(code, 200, text);
  await later(
    1_000,
    () => api.get(`${pods}/gated`),
    ({ body }) => statusOf(body).ephemeralContainerStatuses?.[0]?.state.running !== undefined,
  );
});

const jobOwner = {
  ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'job', uid: 'uid', controller: true }],
};

test('a pod of a Job succeeds after a second', async () => {
  await create('job', { restartPolicy: 'Never' }, { ...jobOwner, annotations: {} });
  await inPhase('job', 'Running');
  const { body } = await later(
    1_000,
    () => api.get(`${pods}/job`),
    ({ body }) => statusOf(body).phase === 'Succeeded',
  );
  const [{ state, ready }] = statusOf(body).containerStatuses as [ContainerStatus];
  assert.deepEqual([state.terminated?.exitCode, state.terminated?.reason, ready], [0, 'Completed', false]);
  const conditions = statusOf(body).conditions.map(({ type, status, reason }) => [type, status, reason]);
  assert.deepEqual(conditions, [
    ['PodReadyToStartContainers', 'False', undefined],
    ['Initialized', 'True', 'PodCompleted'],
    ['Ready', 'False', 'PodCompleted'],
    ['ContainersReady', 'False', 'PodCompleted'],
    ['PodScheduled', 'True', undefined],
  ]);
});

test('annotations let a pod complete after a time, with an exit code', async () => {
  const annotations = { [annotation('complete-after')]: '5m', [annotation('exit-code')]: '3' };
  await create('fails', { restartPolicy: 'Never' }, { annotations });
  await create('stays', { restartPolicy: 'Never' });
  await inPhase('fails', 'Running');
  await inPhase('stays', 'Running');
  api.server.clock.advance(200_000);
  assert.equal(statusOf((await api.get(`${pods}/fails`)).body).phase, 'Running');
  const { body } = await later(
    60_000,
    () => api.get(`${pods}/fails`),
    ({ body }) => statusOf(body).phase !== 'Running',
  );
  assert.equal(statusOf(body).phase, 'Failed');
  assert.equal(statusOf(body).containerStatuses[0]!.state.terminated?.exitCode, 3);
  assert.equal(statusOf((await api.get(`${pods}/stays`)).body).phase, 'Running');
});

test('containers that fail are restarted with restartPolicy OnFailure', async () => {
  const annotations = { [annotation('exit-code')]: '1' };
  await create('retries', { restartPolicy: 'OnFailure' }, { ...jobOwner, annotations });
  await inPhase('retries', 'Running');
  const { body } = await later(
    20_000,
    () => api.get(`${pods}/retries`),
    ({ body }) => statusOf(body).containerStatuses[0]!.restartCount >= 2,
  );
  const [{ state, lastState }] = statusOf(body).containerStatuses as [ContainerStatus];
  assert.equal(statusOf(body).phase, 'Running');
  assert.ok(state.running);
  assert.deepEqual([lastState.terminated?.exitCode, lastState.terminated?.reason], [1, 'Error']);
});

test('a deleted pod ends at once, with its containers terminated before', async () => {
  const { metadata } = await create('deleted');
  await inPhase('deleted', 'Running');
  const watch = await api.watch(`${pods}?watch=true&resourceVersion=${metadata.resourceVersion}`);
  const { body } = await api.delete(`${pods}/deleted`);
  assert.ok(body.metadata.deletionTimestamp);
  await untilDeleted(api, `${pods}/deleted`);
  for (;;) {
    const { type, object } = (await watch.next())!;
    if (object.metadata.name !== 'deleted' || type !== 'DELETED') continue;
    const [{ state }] = statusOf(object).containerStatuses as [ContainerStatus];
    assert.equal(state.terminated?.exitCode, 143);
    assert.equal(statusOf(object).phase, 'Failed');
    break;
  }
  watch.close();
});

test('a pod with a preStop hook, or with the annotation, uses its grace period', async () => {
  const lifecycle = { preStop: { exec: { command: ['sleep', '5'] } } };
  await create('hook', { containers: [{ ...container, lifecycle }] });
  await create('graceful', {}, { annotations: { [annotation('use-grace-period')]: 'true' } });
  for (const name of ['hook', 'graceful']) {
    await inPhase(name, 'Running');
    await api.delete(`${pods}/${name}`);
    api.server.clock.advance(20_000);
    const { code, body } = await api.get(`${pods}/${name}`);
    assert.deepEqual([code, statusOf(body).phase], [200, 'Running']);
    await later(
      10_000,
      () => api.get(`${pods}/${name}`),
      ({ code }) => code === 404,
    );
  }
});

test('a pod with a finalizer ends, and stays until the finalizer is removed', async () => {
  await create('held', {}, { finalizers: ['example.com/hold'] });
  await inPhase('held', 'Running');
  await api.delete(`${pods}/held`);
  await inPhase('held', 'Failed');
  await api.request(
    'PATCH',
    `${pods}/held`,
    { metadata: { finalizers: null } },
    {
      'content-type': 'application/merge-patch+json',
    },
  );
  await untilDeleted(api, `${pods}/held`);
});

test('pods of a failed node go on when the node recovers', async () => {
  const fail = (failed: string | null) =>
    api.request(
      'PATCH',
      '/api/v1/nodes/node-1',
      { metadata: { annotations: { [annotation('failed')]: failed } } },
      { 'content-type': 'application/merge-patch+json' },
    );
  await create('survivor', { nodeName: 'node-1' });
  await inPhase('survivor', 'Running');
  await fail('true');
  await api.delete(`${pods}/survivor`);
  await create('waiting', { nodeName: 'node-1' });
  // A pod of another node shows that the stages have run.
  await create('witness');
  await inPhase('witness', 'Running');
  assert.equal((await api.get(`${pods}/survivor`)).code, 200);
  assert.equal(statusOf((await api.get(`${pods}/waiting`)).body).phase, 'Pending');
  await fail(null);
  await untilDeleted(api, `${pods}/survivor`);
  await inPhase('waiting', 'Running');
});

test('a pod runs once it is bound to a simulated node', async () => {
  await create('bound', { nodeName: undefined });
  const { code, text } = await api.post(`${pods}/bound/binding`, {
    metadata: { name: 'bound' },
    target: { kind: 'Node', name: 'node-0' },
  });
  assert.equal(code, 201, text);
  await inPhase('bound', 'Running');
});

test('pods on other nodes are left alone', async () => {
  await api.post('/api/v1/nodes', { metadata: { name: 'real' } });
  await create('elsewhere', { nodeName: 'real' });
  await create('last');
  await inPhase('last', 'Running');
  assert.equal(statusOf((await api.get(`${pods}/elsewhere`)).body).phase, 'Pending');
});
