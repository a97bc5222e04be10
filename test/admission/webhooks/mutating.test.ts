import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../../support/client.ts';
import type { WebhookInstructions } from '../../support/webhook.ts';
import { namespaceIn, testHooks } from '../../support/webhook-client.ts';

const api = testServer();
const hooks = testHooks(api);

const configMap = (name = 'a') => ({ metadata: { name }, data: { k: 'v' } });
const add = (path: string, value: unknown): WebhookInstructions => ({ patch: [{ op: 'add', path, value }] });

async function ask(told: WebhookInstructions, more: Record<string, unknown> = {}) {
  const path = await api.namespace();
  await hooks.configure('mutating', hooks.hook(namespaceIn(path), told, more));
  return { path, answer: await api.post(path, configMap()) };
}

test('a patch changes the object, and its fields have no field manager', async () => {
  const { answer } = await ask(add('/data/more', '1'));
  assert.equal(answer.code, 201);
  assert.deepEqual(answer.body.data, { k: 'v', more: '1' });
  assert.doesNotMatch(JSON.stringify(answer.body.metadata), /f:more/);
});

test('the patched object is defaulted and validated', async () => {
  const path = await api.namespace('services');
  const ports = [{ port: 80 }];
  await hooks.configure('mutating', hooks.hook(namespaceIn(path), add('/spec/ports', ports)));
  const { body } = await api.post(path, { metadata: { name: 'a' }, spec: { ports: [{ port: 1 }] } });
  assert.deepEqual(body.spec.ports, [{ protocol: 'TCP', port: 80, targetPort: 80 }]);
  const { answer } = await ask(add('/data/bad key!', '1'));
  assert.equal(answer.code, 422);
  const { answer: misplaced } = await ask(add('/metadata/namespace', 'kube-system'));
  assert.equal(misplaced.code, 400);
});

test('a patch that cannot be applied fails the write, whatever the failurePolicy', async () => {
  for (const failurePolicy of ['Fail', 'Ignore']) {
    const { answer } = await ask({ patch: [{ op: 'remove', path: '/data/nosuch' }] }, { failurePolicy });
    assert.equal(answer.code, 500);
    assert.match(answer.body.message, /Unable to remove nonexistent key: nosuch/);
  }
  const { answer } = await ask(add('/data', 'text'));
  assert.match(answer.body.message, /cannot unmarshal string into Go struct field ConfigMap.data/);
});

test('a response with an invalid patch or patchType fails the write', async () => {
  const patch = Buffer.from('[{"op":"add","path":"/data/n","value":"1"}]').toString('base64');
  const cases: [object, RegExp][] = [
    [{ patch }, /returned response.patch but not response.patchType/],
    [{ patchType: 'JSONPatch' }, /returned response.patchType but not response.patch/],
    [{ patch, patchType: 'Other' }, /unsupported patch type "Other"/],
    [{ patch: '***', patchType: 'JSONPatch' }, /illegal base64/],
    [{ patch: Buffer.from('{}').toString('base64'), patchType: 'JSONPatch' }, /cannot unmarshal object/],
  ];
  for (const [response, expected] of cases) {
    const { answer } = await ask({ response });
    assert.equal(answer.code, 500);
    assert.match(answer.body.message, expected);
  }
});

test('webhooks are called one after the other, ordered by configuration name', async () => {
  const path = await api.namespace();
  const namespace = namespaceIn(path);
  const step = (name: string, told: WebhookInstructions) =>
    hooks.hook(namespace, told, { name: `${name}.example.com` });
  await hooks.configure('mutating', step('b', add('/data/first', '1')), step('a', add('/data/second', '2')));
  await hooks.configure('mutating', step('c', add('/data/third', '3')));
  const { body } = await api.post(path, configMap());
  assert.deepEqual(Object.keys(body.data), ['first', 'k', 'second', 'third']);
  const moved = { patch: [{ op: 'move', from: '/data/third', path: '/data/fourth' }] };
  await hooks.configure('mutating', step('d', moved));
  const { body: later } = await api.post(path, configMap('b'));
  assert.deepEqual(Object.keys(later.data), ['first', 'fourth', 'k', 'second']);
});

test('reinvocationPolicy IfNeeded calls a webhook again after a later one changed the object', async () => {
  const path = await api.namespace();
  const namespace = namespaceIn(path);
  const clientConfig = (name: string) => ({
    url: hooks.webhook.url({}, `${namespace}-${name}`),
    caBundle: hooks.webhook.caBundle,
  });
  const asked = (name: string, reinvocationPolicy: string) =>
    hooks.hook(
      namespace,
      {},
      { name: `${name}.example.com`, clientConfig: clientConfig(name), reinvocationPolicy },
    );
  const change = hooks.hook(namespace, add('/data/changed', '1'), { name: 'change.example.com' });
  const hooked = [asked('again', 'IfNeeded'), asked('once', 'Never'), change, asked('after', 'IfNeeded')];
  await hooks.configure('mutating', ...hooked);
  assert.equal((await api.post(path, configMap())).code, 201);
  const calls = async (name: string) => (await hooks.webhook.received({}, `${namespace}-${name}`)).length;
  assert.deepEqual([await calls('again'), await calls('once'), await calls('after')], [2, 1, 1]);
});

test('invalid managedFields of a webhook are restored, with a warning', async () => {
  const operation = { op: 'replace', path: '/metadata/managedFields/0/operation', value: 'Other' };
  const { answer } = await ask({ patch: [operation] });
  assert.equal(answer.code, 201);
  assert.match(answer.headers.get('warning')!, /managedFields was in an invalid state after admission/);
  assert.match(JSON.stringify(answer.body.metadata), /"operation":"Update"/);
});

test('a webhook gets the version of its rule, and its patch is converted to the version of the request', async () => {
  const path = await api.namespace();
  const namespace = namespaceIn(path);
  const scalers = `/apis/autoscaling/v1/namespaces/${namespace}/horizontalpodautoscalers`;
  const rules = (apiVersions: string[]) => [
    { apiGroups: ['autoscaling'], apiVersions, resources: ['*'], operations: ['*'] },
  ];
  const told = add('/spec/metrics/0/resource/target/averageUtilization', 33);
  await hooks.configure('mutating', hooks.hook(namespace, told, { rules: rules(['v2']) }));
  const scaler = {
    metadata: { name: 'a' },
    spec: { maxReplicas: 3, targetCPUUtilizationPercentage: 70, scaleTargetRef: { kind: 'D', name: 'd' } },
  };
  const { code, body } = await api.post(scalers, scaler);
  assert.equal(code, 201);
  assert.equal(body.apiVersion, 'autoscaling/v1');
  assert.equal(body.spec.targetCPUUtilizationPercentage, 33);
});

test('matchPolicy Exact does not match other versions', async () => {
  const path = await api.namespace();
  const namespace = namespaceIn(path);
  const rules = [{ apiGroups: ['autoscaling'], apiVersions: ['v2'], resources: ['*'], operations: ['*'] }];
  const hook = hooks.hook(namespace, { response: { allowed: false } }, { rules, matchPolicy: 'Exact' });
  await hooks.configure('mutating', hook);
  const scalers = (version: string) =>
    `/apis/autoscaling/${version}/namespaces/${namespace}/horizontalpodautoscalers`;
  const scaler = {
    metadata: { name: 'a' },
    spec: { maxReplicas: 3, scaleTargetRef: { kind: 'D', name: 'd' } },
  };
  assert.equal((await api.post(scalers('v2'), scaler)).code, 400);
  assert.equal((await api.post(scalers('v1'), scaler)).code, 201);
});

test('a patch in response to DELETE is rejected', async () => {
  const path = await api.namespace();
  await api.post(path, configMap());
  await hooks.configure('mutating', hooks.hook(namespaceIn(path), add('/data/n', '1')));
  const { code, body } = await api.delete(`${path}/a`);
  assert.equal(code, 500);
  assert.match(body.message, /attempted to modify the object, which is not supported for this operation/);
});

test('a webhook for scale gets and patches the Scale', async () => {
  const path = await api.namespace();
  const namespace = namespaceIn(path);
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const labels = { a: 'b' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  await api.post(deployments, {
    metadata: { name: 'a' },
    spec: { selector: { matchLabels: labels }, template },
  });
  const rules = [
    { apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments/scale'], operations: ['UPDATE'] },
  ];
  await hooks.configure('mutating', hooks.hook(namespace, add('/spec/replicas', 7), { rules }));
  const { body } = await api.put(`${deployments}/a/scale`, {
    metadata: { name: 'a' },
    spec: { replicas: 2 },
  });
  assert.equal(body.spec.replicas, 7);
  assert.equal((await api.get(`${deployments}/a`)).body.spec.replicas, 7);
});

test('CONNECT calls webhooks with the options of the connection', async () => {
  const path = await api.namespace('pods');
  const namespace = namespaceIn(path);
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods/exec'], operations: ['CONNECT'] }];
  const configuration = await hooks.configure(
    'validating',
    hooks.hook(namespace, { tells: 'review' }, { rules }),
  );
  const { code, body } = await api.post(`${path}/a/exec?command=ls&command=-l&stdout=1`, undefined);
  assert.equal(code, 400);
  const { request } = JSON.parse(body.message.slice(body.message.indexOf('{')));
  assert.equal(request.operation, 'CONNECT');
  assert.equal(request.kind.kind, 'PodExecOptions');
  assert.deepEqual(request.object, {
    kind: 'PodExecOptions',
    apiVersion: 'v1',
    stdout: true,
    command: ['ls', '-l'],
  });
  await api.delete(configuration);
  assert.equal((await api.post(`${path}/a/exec?command=ls`, undefined)).code, 404);
});
