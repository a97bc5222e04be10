import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';

// Without the disruption controller, budgets keep the status that tests write.
const api = testServer({ controllers: ['*', '-disruption-controller'] });

interface Condition {
  type: string;
  status: string;
  reason?: string;
}

/** A new namespace with a pod `a`. */
async function podIn(spec: object = {}, metadata: object = {}) {
  const collection = await api.namespace('pods');
  const { code, body, text } = await api.post(collection, {
    metadata: { name: 'a', ...metadata },
    spec: { containers: [{ name: 'c', image: 'i:1' }], ...spec },
  });
  assert.equal(code, 201, text);
  return { collection, path: `${collection}/a`, pod: body };
}

const binding = (name: string, node: string, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  target: { kind: 'Node', name: node },
});

test('a pod without a node is deleted immediately', async () => {
  const { path, pod } = await podIn();
  const { code, body } = await api.delete(path);
  assert.equal(code, 200);
  assert.equal(body.kind, 'Pod');
  assert.equal(body.metadata.generation, pod.metadata.generation + 1);
  assert.ok(body.metadata.deletionTimestamp);
  assert.equal((await api.get(path)).code, 404);
});

test('a pod on a node has a grace period, which can only be shortened', async () => {
  const { path } = await podIn({ nodeName: 'n' });
  const { body: marked } = await api.delete(path);
  assert.equal((marked.metadata as { deletionGracePeriodSeconds?: number }).deletionGracePeriodSeconds, 30);
  const { body: same } = await api.delete(`${path}?gracePeriodSeconds=40`);
  assert.equal(same.metadata.resourceVersion, marked.metadata.resourceVersion);
  const { body: sooner } = await api.delete(`${path}?gracePeriodSeconds=10`);
  const cut = Date.parse(marked.metadata.deletionTimestamp) - Date.parse(sooner.metadata.deletionTimestamp);
  assert.equal(cut, 20_000);
  assert.equal((await api.delete(`${path}?gracePeriodSeconds=0`)).code, 200);
  assert.equal((await api.get(path)).code, 404);
});

test('a pod with a finalizer outlives its grace period', async () => {
  const { path } = await podIn({}, { finalizers: ['example.com/x'] });
  await api.delete(`${path}?gracePeriodSeconds=0`);
  const { body } = await api.get(path);
  assert.ok(body.metadata.deletionTimestamp);
  await api.put(path, { ...body, metadata: { ...body.metadata, finalizers: [] } });
  assert.equal((await api.get(path)).code, 404);
});

test('a binding sets the node of a pod, once', async () => {
  const { path, collection } = await podIn();
  const bound = await api.post(`${path}/binding`, binding('a', 'n1', { annotations: { x: 'y' } }));
  assert.equal(bound.code, 201);
  assert.equal(bound.body.kind, 'Status');
  const { body } = await api.get(path);
  assert.equal(body.spec.nodeName, 'n1');
  assert.equal(body.metadata.annotations.x, 'y');
  const conditions = (body.status as { conditions: Condition[] }).conditions;
  assert.deepEqual(
    conditions.map(({ type, status }) => [type, status]),
    [['PodScheduled', 'True']],
  );
  const again = await api.post(collection.replace('pods', 'bindings'), binding('a', 'n2'));
  assert.equal(again.code, 409);
  assert.match(again.body.message, /already assigned to node "n1"/);
});

test('a binding must name the pod and a node, and a gated pod cannot be bound', async () => {
  const { path } = await podIn({ schedulingGates: [{ name: 'g' }] });
  assert.equal((await api.post(`${path}/binding`, binding('b', 'n'))).code, 400);
  assert.equal(
    (await api.post(`${path}/binding`, binding('a', ''))).body.message,
    'target.name: Required value',
  );
  assert.equal((await api.post(`${path}/binding`, binding('a', 'n'))).code, 409);
});

test('of concurrent bindings one succeeds', async () => {
  const { path } = await podIn();
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, i) => api.post(`${path}/binding`, binding('a', `n${i}`))),
  );
  assert.equal(responses.filter(({ code }) => code === 201).length, 1);
  assert.equal(responses.filter(({ code }) => code === 409).length, 7);
});

/** A ready pod, with a budget that allows this many disruptions. */
async function guarded(allowed: number) {
  const { path, collection } = await podIn({ nodeName: 'n' }, { labels: { app: 'x' } });
  const { body: pod } = await api.get(path);
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  await api.put(`${path}/status`, { ...pod, status });
  const budgets = collection.replace('/api/v1/', '/apis/policy/v1/').replace('pods', 'poddisruptionbudgets');
  const { body: budget } = await api.post(budgets, {
    metadata: { name: 'b' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } } },
  });
  const counts = { disruptionsAllowed: allowed, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 };
  await api.put(`${budgets}/b/status`, { ...budget, status: { observedGeneration: 1, ...counts } });
  return { path, budget: `${budgets}/b` };
}

test('an eviction deletes the pod and decrements disruptionsAllowed', async () => {
  const { path, budget } = await guarded(1);
  const dry = await api.post(`${path}/eviction?dryRun=All`, { metadata: { name: 'a' } });
  assert.equal(dry.code, 201);
  assert.equal((await api.get(path)).body.metadata.deletionTimestamp, undefined);
  assert.equal((await api.post(`${path}/eviction`, { metadata: { name: 'a' } })).code, 201);
  const { body: pod } = await api.get(path);
  assert.ok(pod.metadata.deletionTimestamp);
  const { conditions } = pod.status as { conditions: Condition[] };
  assert.equal(conditions.find(({ type }) => type === 'DisruptionTarget')?.reason, 'EvictionByEvictionAPI');
  const { disruptionsAllowed, disruptedPods } = (await api.get(budget)).body.status as {
    disruptionsAllowed: number;
    disruptedPods: Record<string, string>;
  };
  assert.equal(disruptionsAllowed, 0);
  assert.deepEqual(Object.keys(disruptedPods), ['a']);
});

test('an eviction that a PodDisruptionBudget does not allow is 429 and names the budget', async () => {
  const { path } = await guarded(0);
  const { code, body } = await api.post(`${path}/eviction`, { metadata: { name: 'a' } });
  assert.equal(code, 429);
  assert.equal(
    body.details.causes[0]!.message,
    'The disruption budget b needs 1 healthy pods and has 2 currently',
  );
  assert.equal((await api.get(path)).body.metadata.deletionTimestamp, undefined);
});

test('field selectors match pods, also on empty fields', async () => {
  const { collection } = await podIn({ nodeName: 'n' });
  const count = async (selector: string) =>
    (await api.get(`${collection}?fieldSelector=${encodeURIComponent(selector)}`)).body.items.length;
  assert.equal(await count('spec.nodeName=n,status.phase=Pending'), 1);
  assert.equal(await count('spec.hostNetwork=false'), 1);
  assert.equal(await count('spec.hostNetwork=true'), 0);
  assert.equal(await count('status.podIP='), 1);
});
