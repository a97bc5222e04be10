import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';
import { controllersIdle, until, untilDeleted } from '../support/controllers.ts';

const api = testServer();

const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const containers = [{ name: 'c', image: 'i' }];

test('a claim in use by a pod is deleted after the pod', async () => {
  const claims = await api.namespace('persistentvolumeclaims');
  const pods = claims.replace(/\w+$/, 'pods');
  for (const name of ['used', 'wanted']) await api.post(claims, { metadata: { name }, spec: claimSpec });
  const volumesOf = (claimName: string) => [{ name: 'v', persistentVolumeClaim: { claimName } }];
  const user = { nodeName: 'n', containers, volumes: volumesOf('used') };
  assert.equal((await api.post(pods, { metadata: { name: 'user' }, spec: user })).code, 201);
  const waiting = { containers, volumes: volumesOf('wanted') };
  await api.post(pods, { metadata: { name: 'waiting' }, spec: waiting });
  await api.delete(`${claims}/wanted`);
  await untilDeleted(api, `${claims}/wanted`);
  await api.delete(`${claims}/used`);
  await controllersIdle(api);
  const { body } = await api.get(`${claims}/used`);
  assert.ok(body.metadata.deletionTimestamp);
  assert.deepEqual(body.metadata.finalizers, ['orch.io/pvc-protection']);
  await api.delete(`${pods}/user`, { gracePeriodSeconds: 0 });
  await untilDeleted(api, `${claims}/used`);
});

test('a bound PersistentVolume is deleted after its claim', async () => {
  const path = '/api/v1/persistentvolumes/a';
  const capacity = { storage: '1Gi' };
  const spec = { capacity, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp' } };
  await api.post('/api/v1/persistentvolumes', { metadata: { name: 'a' }, spec });
  const say = async (phase: string) => {
    const { body } = await api.get(path);
    assert.equal((await api.put(`${path}/status`, { ...body, status: { phase } })).code, 200);
  };
  await say('Bound');
  await api.delete(path);
  await controllersIdle(api);
  assert.equal((await api.get(path)).code, 200);
  await say('Released');
  await untilDeleted(api, path);
});

test('a removed protection finalizer is added again', async () => {
  const claims = await api.namespace('persistentvolumeclaims');
  const { body } = await api.post(claims, { metadata: { name: 'a' }, spec: claimSpec });
  const bare = { ...body, metadata: { ...body.metadata, finalizers: [] } };
  assert.equal((await api.put(`${claims}/a`, bare)).code, 200);
  await until(
    () => api.get(`${claims}/a`),
    (response) => response.body.metadata.finalizers?.[0] === 'orch.io/pvc-protection',
  );
});
