import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';

const api = testServer();
const slow = testServer({ defaultNotReadyTolerationSeconds: 5, defaultUnreachableTolerationSeconds: 7 });

const pod = (spec: object = {}) => ({
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'c', image: 'i:1' }], ...spec },
});
const claim = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});

const storageClasses = '/apis/storage.orch.io/v1/storageclasses';
const ingressClasses = '/apis/networking.orch.io/v1/ingressclasses';
const runtimeClasses = '/apis/node.orch.io/v1/runtimeclasses';

test('TaintNodesByCondition taints a new node as not ready', async () => {
  const { body } = await api.post('/api/v1/nodes', { metadata: { name: 'new' } });
  assert.deepEqual(body.spec.taints, [{ key: 'node.orch.io/not-ready', effect: 'NoSchedule' }]);
});

test('a claim without a class gets the newest default StorageClass and the protection finalizer', async () => {
  const claims = await api.namespace('persistentvolumeclaims');
  const { body: early } = await api.post(claims, claim('early'));
  assert.equal(early.spec.storageClassName, undefined);
  assert.deepEqual(early.metadata.finalizers, ['orch.io/pvc-protection']);
  for (const name of ['b', 'a']) {
    const annotations = { 'storageclass.orch.io/is-default-class': 'true' };
    await api.post(storageClasses, { metadata: { name, annotations }, provisioner: 'p' });
    api.server.clock.advance(2000);
  }
  assert.equal((await api.post(claims, claim('late'))).body.spec.storageClassName, 'a');
  await api.delete(`${storageClasses}/a`);
  assert.equal((await api.post(claims, claim('later'))).body.spec.storageClassName, 'b');
  assert.equal(
    (await api.post(claims, claim('none', { storageClassName: '' }))).body.spec.storageClassName,
    '',
  );
});

test('a claim may be expanded only if its StorageClass allows it', async () => {
  const claims = await api.namespace('persistentvolumeclaims');
  await api.post(storageClasses, { metadata: { name: 'fixed' }, provisioner: 'p' });
  await api.post(storageClasses, {
    metadata: { name: 'elastic' },
    provisioner: 'p',
    allowVolumeExpansion: true,
  });
  const grown = async (storageClassName: string) => {
    const made = claim(storageClassName, { storageClassName, volumeName: 'v' });
    const { body } = await api.post(claims, made);
    const status = { phase: 'Bound', capacity: { storage: '1Gi' } };
    const bound = await api.put(`${claims}/${storageClassName}/status`, { ...body, status });
    const spec = { ...bound.body.spec, resources: { requests: { storage: '2Gi' } } };
    return api.put(`${claims}/${storageClassName}`, { ...bound.body, spec });
  };
  assert.match((await grown('fixed')).body.message, /only dynamically provisioned pvc can be resized/);
  assert.equal((await grown('elastic')).code, 200);
});

test('an Ingress without a class gets the default IngressClass', async () => {
  const { body: space } = await api.post('/api/v1/namespaces', { metadata: { generateName: 'test-' } });
  const annotations = { 'ingressclass.orch.io/is-default-class': 'true' };
  await api.post(ingressClasses, { metadata: { name: 'door', annotations }, spec: { controller: 'a.b/c' } });
  const path = `/apis/networking.orch.io/v1/namespaces/${space.metadata.name}/ingresses`;
  const spec = { defaultBackend: { service: { name: 'a', port: { number: 1 } } } };
  assert.equal((await api.post(path, { metadata: { name: 'a' }, spec })).body.spec.ingressClassName, 'door');
});

test('a pod gets the overhead and node selector of its RuntimeClass', async () => {
  const pods = await api.namespace('pods');
  await api.post(runtimeClasses, {
    metadata: { name: 'gvisor' },
    handler: 'runsc',
    overhead: { podFixed: { cpu: '100m' } },
    scheduling: { nodeSelector: { sandbox: 'yes' }, tolerations: [{ key: 'sandbox', operator: 'Exists' }] },
  });
  const { body } = await api.post(pods, pod({ runtimeClassName: 'gvisor' }));
  assert.deepEqual(body.spec.overhead, { cpu: '100m' });
  assert.deepEqual(body.spec.nodeSelector, { sandbox: 'yes' });
  assert.ok((body.spec.tolerations as { key: string }[]).some(({ key }) => key === 'sandbox'));
  const refused = await api.post(pods, pod({ runtimeClassName: 'nope' }));
  assert.equal(refused.body.message, 'pods "a" is forbidden: pod rejected: RuntimeClass "nope" not found');
});

test('the default toleration seconds can be configured', async () => {
  const { body } = await slow.post(await slow.namespace('pods'), pod());
  const seconds = (body.spec.tolerations as { tolerationSeconds: number }[]).map(
    (one) => one.tolerationSeconds,
  );
  assert.deepEqual(seconds, [5, 7]);
});
