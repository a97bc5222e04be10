// Tests of the scheduler through the API, with nodes that the tests create.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { type Body, testServer } from '../support/client.ts';
import { conditionsOf, until } from '../support/controllers.ts';

const api = testServer({ controllers: ['scheduler', 'serviceaccount-controller'] });
let pods = '';

// Each test has its own nodes. The reset also makes the scheduler list everything again.
beforeEach(async () => {
  await api.server.reset();
  pods = await api.namespace('pods');
  await until(
    () => api.get(pods.replace(/pods$/, 'serviceaccounts/default')),
    ({ code }) => code === 200,
  );
});

interface NodeOptions {
  readonly cpu?: string;
  readonly pods?: string;
  readonly labels?: Record<string, string>;
  readonly taints?: object[];
}

async function createNode(name: string, options: NodeOptions = {}): Promise<void> {
  const { cpu = '4', pods: maxPods = '110', labels = {}, taints = [] } = options;
  const allocatable = { cpu, memory: '8Gi', pods: maxPods };
  const metadata = { name, labels: { 'orch.io/hostname': name, ...labels } };
  const { body, text } = await api.post('/api/v1/nodes', { metadata, status: { allocatable } });
  // Admission taints new nodes as not ready.
  const updated = await api.put(`/api/v1/nodes/${name}`, { ...body, spec: { ...body.spec, taints } });
  assert.equal(updated.code, 200, text);
}

interface PodOptions {
  readonly cpu?: string;
  readonly labels?: Record<string, string>;
  readonly spec?: object;
}

async function createPod(
  name: string,
  { cpu = '1', labels = {}, spec = {} }: PodOptions = {},
): Promise<void> {
  const containers = [{ name: 'c', image: 'app', resources: { requests: { cpu } } }];
  const { code, text } = await api.post(pods, { metadata: { name, labels }, spec: { containers, ...spec } });
  assert.equal(code, 201, text);
}

const getPod = async (name: string) => (await api.get(`${pods}/${name}`)).body;
const scheduledCondition = (pod: Body) => conditionsOf(pod).find(({ type }) => type === 'PodScheduled');

const untilAssigned = async (name: string): Promise<string> => {
  const pod = await until(
    () => getPod(name),
    ({ spec }) => spec.nodeName !== undefined,
  );
  return pod.spec.nodeName as string;
};

const untilUnschedulable = async (name: string, message?: string): Promise<string> => {
  const pod = await until(
    () => getPod(name),
    (seen) => {
      const condition = scheduledCondition(seen);
      return (
        condition?.reason === 'Unschedulable' && (message === undefined || condition.message === message)
      );
    },
  );
  return scheduledCondition(pod)!.message;
};

const eventsOf = async (name: string, reason: string): Promise<Body[]> => {
  const { body } = await api.get(pods.replace(/pods$/, 'events'));
  return body.items.filter(
    ({ involvedObject, reason: actual }) =>
      (involvedObject as { name: string }).name === name && actual === reason,
  );
};

const untilEvent = async (name: string, reason: string): Promise<Body> =>
  (
    await until(
      () => eventsOf(name, reason),
      ({ length }) => length > 0,
    )
  )[0]!;

async function createPriorityClass(name: string, value: number): Promise<void> {
  const { code, text } = await api.post('/apis/scheduling.orch.io/v1/priorityclasses', {
    metadata: { name },
    value,
  });
  assert.equal(code, 201, text);
}

test('a pod is bound to a node, with an Event', async () => {
  await createNode('a');
  await createPod('p');
  assert.equal(await untilAssigned('p'), 'a');
  assert.equal(scheduledCondition(await getPod('p'))?.status, 'True');
  const event = await untilEvent('p', 'Scheduled');
  const namespace = pods.split('/')[4];
  assert.equal(event.message, `Successfully assigned ${namespace}/p to a`);
  assert.deepEqual(
    [event.type, event.action, event.reportingComponent],
    ['Normal', 'Binding', 'default-scheduler'],
  );
});

test('a pod that fits on no node has upstream’s condition and Event', async () => {
  await createNode('a', { cpu: '1' });
  await createNode('b', { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] });
  await createPod('p', { cpu: '2' });
  const message =
    '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint {gpu: yes}. ' +
    'preemption: 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.';
  assert.equal(await untilUnschedulable('p'), message);
  const event = await untilEvent('p', 'FailedScheduling');
  assert.deepEqual([event.type, event.action, event.message], ['Warning', 'Scheduling', message]);
});

test('without nodes, and after a node is added', async () => {
  await createPod('p');
  assert.equal(await untilUnschedulable('p'), 'no nodes available to schedule pods');
  await createNode('a');
  // The first attempt on the new node failed if the taint of admission was still on it.
  api.server.clock.advance(10_000);
  assert.equal(await untilAssigned('p'), 'a');
});

test('an unschedulable pod is tried again when another one is deleted, after its backoff', async () => {
  await createNode('a', { cpu: '1' });
  await createPod('first');
  await untilAssigned('first');
  await createPod('second');
  await untilUnschedulable('second');
  await api.delete(`${pods}/first`, { gracePeriodSeconds: 0 });
  api.server.clock.advance(1_000);
  assert.equal(await untilAssigned('second'), 'a');
});

test('a gated pod is scheduled once its gates are removed', async () => {
  await createNode('a');
  await createPod('p', { spec: { schedulingGates: [{ name: 'example.com/wait' }] } });
  await createPod('other');
  await untilAssigned('other');
  const gated = await getPod('p');
  assert.equal(gated.spec.nodeName, undefined);
  const { reason, message } = scheduledCondition(gated)!;
  assert.deepEqual(
    [reason, message],
    ['SchedulingGated', 'Scheduling is blocked due to non-empty scheduling gates'],
  );
  const { code, text } = await api.put(`${pods}/p`, {
    ...gated,
    spec: { ...gated.spec, schedulingGates: [] },
  });
  assert.equal(code, 200, text);
  assert.equal(await untilAssigned('p'), 'a');
});

test('pods of another scheduler are left alone', async () => {
  await createNode('a');
  await createPod('foreign', { spec: { schedulerName: 'other' } });
  await createPod('own');
  await untilAssigned('own');
  assert.equal((await getPod('foreign')).spec.nodeName, undefined);
});

test('pods with anti-affinity and spread constraints are placed apart', async () => {
  for (const zone of ['1', '2']) {
    for (const name of ['a', 'b']) await createNode(`${name}${zone}`, { labels: { zone } });
  }
  const labels = { app: 'web' };
  const labelSelector = { matchLabels: labels };
  const podAntiAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'orch.io/hostname', labelSelector }],
  };
  const topologySpreadConstraints = [
    { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector },
  ];
  const spec = { affinity: { podAntiAffinity }, topologySpreadConstraints };
  for (const name of ['1', '2', '3', '4']) await createPod(`web-${name}`, { labels, spec });
  const nodes = await Promise.all(['1', '2', '3', '4'].map((name) => untilAssigned(`web-${name}`)));
  assert.deepEqual(nodes.sort(), ['a1', 'a2', 'b1', 'b2']);
  await createPod('web-5', { labels, spec });
  assert.match(
    await untilUnschedulable('web-5'),
    /^0\/4 nodes are available: 4 node\(s\) didn't match pod anti-affinity rules\./,
  );
});

test('a pod of higher priority preempts one of lower priority', async () => {
  await createPriorityClass('high', 1000);
  await createNode('a', { cpu: '1' });
  await createPod('low');
  await untilAssigned('low');
  await createPod('high', { spec: { priorityClassName: 'high' } });
  const preemptor = await until(
    () => getPod('high'),
    ({ status }) => (status as { nominatedNodeName?: string }).nominatedNodeName === 'a',
  );
  assert.equal(scheduledCondition(preemptor)?.message, '0/1 nodes are available: 1 Insufficient cpu.');
  const victim = await until(
    () => getPod('low'),
    ({ metadata }) => metadata.deletionTimestamp !== undefined,
  );
  const target = conditionsOf(victim).find(({ type }) => type === 'DisruptionTarget');
  assert.deepEqual(
    [target?.status, target?.reason, target?.message],
    ['True', 'PreemptionByScheduler', 'default-scheduler: preempting to accommodate a higher priority pod'],
  );
  const event = await untilEvent('low', 'Preempted');
  assert.equal(event.message, `Preempted by pod ${preemptor.metadata.uid} on node a`);
  // Another pod of low priority does not take the place.
  await createPod('late');
  await untilUnschedulable('late');
  // The kubelet ends the deletion.
  await api.delete(`${pods}/low`, { gracePeriodSeconds: 0 });
  api.server.clock.advance(10_000);
  assert.equal(await untilAssigned('high'), 'a');
  assert.equal((await getPod('late')).spec.nodeName, undefined);
});

test('preemptionPolicy Never keeps a pod from preempting', async () => {
  await createPriorityClass('high', 1000);
  await createNode('a', { cpu: '1' });
  await createPod('low');
  await untilAssigned('low');
  const { code } = await api.post('/apis/scheduling.orch.io/v1/priorityclasses', {
    metadata: { name: 'polite' },
    value: 1000,
    preemptionPolicy: 'Never',
  });
  assert.equal(code, 201);
  await createPod('polite', { spec: { priorityClassName: 'polite' } });
  assert.equal(
    await untilUnschedulable('polite'),
    '0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never.',
  );
  assert.equal((await getPod('low')).metadata.deletionTimestamp, undefined);
});

test('the pod that a PodDisruptionBudget protects is not the victim', async () => {
  await createPriorityClass('high', 1000);
  await createNode('a', { cpu: '1' });
  await createNode('b', { cpu: '1' });
  await createPod('guarded', { labels: { app: 'web' } });
  const guarded = await untilAssigned('guarded');
  await createPod('other');
  const other = await untilAssigned('other');
  assert.notEqual(guarded, other);
  const budgets = pods.replace('/api/v1', '/apis/policy/v1').replace(/pods$/, 'poddisruptionbudgets');
  const { code } = await api.post(budgets, {
    metadata: { name: 'budget' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  });
  assert.equal(code, 201);
  await createPod('high', { spec: { priorityClassName: 'high' } });
  await untilEvent('other', 'Preempted');
  assert.equal((await getPod('guarded')).metadata.deletionTimestamp, undefined);
});

test('a claim that waits for its first consumer gets the node, and the pod follows once it is bound', async () => {
  await createNode('a', { cpu: '1' });
  const { code } = await api.post('/apis/storage.orch.io/v1/storageclasses', {
    metadata: { name: 'delayed' },
    provisioner: 'example.com/disk',
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  assert.equal(code, 201);
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  await createPod('p', { spec: { volumes } });
  assert.match(
    await untilUnschedulable('p'),
    /^0\/1 nodes are available: persistentvolumeclaim "data" not found\. preemption: /,
  );
  const claims = pods.replace(/pods$/, 'persistentvolumeclaims');
  await api.post(claims, {
    metadata: { name: 'data' },
    spec: {
      storageClassName: 'delayed',
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
    },
  });
  api.server.clock.advance(10_000);
  const selected = 'volume.orch.io/selected-node';
  const { body: claim } = await until(
    () => api.get(`${claims}/data`),
    ({ body }) => body.metadata.annotations?.[selected] === 'a',
  );
  assert.equal((await getPod('p')).spec.nodeName, undefined);
  // The pod already has its place on the node.
  await createPod('other');
  await untilUnschedulable('other');
  // The provisioner and the volume controller bind the claim.
  const annotations = { ...claim.metadata.annotations, 'pv.orch.io/bind-completed': 'yes' };
  const bound = await api.put(`${claims}/data`, {
    ...claim,
    metadata: { ...claim.metadata, annotations },
    spec: { ...claim.spec, volumeName: 'v' },
  });
  assert.equal(bound.code, 200, bound.text);
  assert.equal(await untilAssigned('p'), 'a');
});

test('a pod that cannot be bound is tried again', async () => {
  await createNode('a');
  const bindings = '/apis/admissionregistration.orch.io/v1';
  const rejecting = {
    metadata: { name: 'no-bindings' },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods/binding'] },
        ],
      },
      validations: [{ expression: 'false', message: 'not now' }],
    },
  };
  assert.equal((await api.post(`${bindings}/validatingadmissionpolicies`, rejecting)).code, 201);
  const binding = await api.post(`${bindings}/validatingadmissionpolicybindings`, {
    metadata: { name: 'no-bindings' },
    spec: { policyName: 'no-bindings', validationActions: ['Deny'] },
  });
  assert.equal(binding.code, 201, binding.text);
  await createPod('p');
  const pod = await until(
    () => getPod('p'),
    (seen) => scheduledCondition(seen)?.reason === 'SchedulerError',
  );
  assert.match(
    scheduledCondition(pod)!.message,
    /^binding rejected: running Bind plugin "DefaultBinder": .*not now/,
  );
  await api.delete(`${bindings}/validatingadmissionpolicybindings/no-bindings`);
  api.server.clock.advance(10_000);
  assert.equal(await untilAssigned('p'), 'a');
});
