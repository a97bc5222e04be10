import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../src/codec/json/json-value.ts';
import { testServer } from '../support/client.ts';
import { controllersIdle, until, untilDeleted } from '../support/controllers.ts';

type ManagedFields = { fieldsV1: { 'f:metadata': JsonObject } }[];

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

test('of a large claim, the finalizer of the server is removed and those of others stay', async () => {
  const claims = await api.namespace('persistentvolumeclaims');
  // As small and large objects: the controller patches those of more than 8 KiB.
  for (const [name, length] of [
    ['small', 10],
    ['large', 200_000],
  ] as const) {
    const metadata = { name, finalizers: ['example.com/a'], annotations: { a: 'x'.repeat(length) } };
    assert.equal((await api.post(claims, { metadata, spec: claimSpec })).code, 201);
    await api.delete(`${claims}/${name}`);
    const { body } = await until(
      () => api.get(`${claims}/${name}`),
      (response) => response.body.metadata.finalizers?.length === 1,
    );
    assert.deepEqual(body.metadata.finalizers, ['example.com/a']);
    assert.equal(body.metadata.annotations?.a?.length, length);
    const { managedFields } = body.metadata as unknown as { managedFields: ManagedFields };
    const owned = managedFields[0]!.fieldsV1['f:metadata']['f:finalizers'];
    assert.deepEqual(owned, { '.': {}, 'v:"example.com/a"': {} });
  }
});
